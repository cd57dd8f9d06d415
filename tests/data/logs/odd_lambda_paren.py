import torch
from torch.utils.cpp_extension import load_inline

src = r'''
template <typename F> int run(F f) { return f(); }
int launch(int n) {
    int r = run([&]() {
        return n;
    };
    return r;
}
'''

mod = load_inline(
    name="odd_lambda_paren",
    cpp_sources="int launch(int n);",
    cuda_sources=src,
    functions=["launch"],
    no_implicit_headers=True,
)
