"""Names of PyTorch, sorted by whether calling them computes. Source: PyTorch 2.13's Python API."""

from __future__ import annotations

# Functions of torch, torch.nn.functional and torch.ops.aten that allocate, view, convert or ask.
_NO_COMPUTE_FUNCTIONS = """
arange as_strided as_tensor asarray autocast broadcast_tensors chunk clone compile complex contiguous
copy_ detach device diagonal dtype empty empty_like empty_permuted empty_strided enable_grad expand
expand_as finfo flatten from_dlpack from_numpy full full_like generator get_default_dtype grad_mode iinfo
inference_mode is_complex is_contiguous is_floating_point is_grad_enabled is_nonzero is_tensor
manual_seed meshgrid moveaxis movedim narrow new_empty new_empty_strided new_full new_ones new_zeros
no_grad numel ones ones_like permute promote_types ravel reshape result_type scalar_tensor select
select_int set_grad_enabled size slice split split_with_sizes squeeze stride sym_int sym_ite sym_max
sym_min sym_not sym_numel sym_size sym_stride sym_storage_offset sym_sqrt sym_sum t tensor tensor_split
to transpose swapaxes swapdims unbind unflatten unsafe_chunk unsafe_split unsqueeze view view_as
_to_copy _unsafe_view alias lift_fresh_copy detach_ zeros zeros_like zero_ fill_ broadcast_to atleast_1d
atleast_2d atleast_3d cond _assert _assert_scalar _assert_async _assert_tensor_metadata
sym_constrain_range sym_constrain_range_for_size get_default_device set_default_device real imag
view_as_real view_as_complex
"""
NO_COMPUTE_FUNCTIONS = frozenset(_NO_COMPUTE_FUNCTIONS.split())

_NO_COMPUTE_MODULES = """
Module ModuleList ModuleDict Parameter ParameterList ParameterDict Buffer Sequential Identity Flatten
Unflatten UninitializedParameter
"""
NO_COMPUTE_MODULES = frozenset(_NO_COMPUTE_MODULES.split())

# Tensor methods that compute. Names that Python's own types use too (index, count, split) are left out.
_COMPUTE_METHODS = """
abs abs_ absolute acos acosh add add_ addbmm addcdiv addcmul addmm addmm_ addmv addr all allclose amax
amin aminmax any argmax argmin argsort asin atan atan2 baddbmm bernoulli bincount bitwise_and bitwise_not
bitwise_or bitwise_xor bmm ceil ceil_ cholesky clamp clamp_ clamp_max clamp_min clip conj corrcoef cos
cosh count_nonzero cov cross cummax cummin cumprod cumsum diff dist div div_ divide dot eq erf erfc
erfinv exp exp_ exp2 expm1 flip fliplr flipud floor floor_divide fmax fmin fmod frac gather ge gelu
greater gt hardshrink hardtanh histc hypot index_add index_add_ index_copy index_fill index_put
index_put_ index_select inner inverse isclose isfinite isinf isnan kron kthvalue le leaky_relu lerp
lgamma log log10 log1p log2 log_softmax logaddexp logcumsumexp logical_and logical_not logical_or
logical_xor logit logsumexp lt masked_fill masked_fill_ masked_scatter masked_select matmul matrix_exp
matrix_power maximum mean median minimum mm mode mul mul_ multinomial multiply mv nan_to_num nanmean
nanmedian nansum ne neg neg_ negative nonzero norm normal_ outer pinverse pow pow_ prelu prod put_
quantile reciprocal relu relu_ remainder renorm repeat_interleave roll rot90 round rsqrt rsqrt_ rsub
scatter scatter_ scatter_add scatter_add_ scatter_reduce sgn sigmoid sigmoid_ sign silu sin sinc sinh
slogdet softmax softplus sort sparse_mm sqrt sqrt_ square std sub sub_ subtract sum sum_to_size svd take
take_along_dim tan tanh tanh_ tensordot tile topk trace tril tril_ triu triu_ true_divide trunc unique
uniform_ var vdot where xlogy
"""
COMPUTE_METHODS = frozenset(_COMPUTE_METHODS.split())

# What these return is a size, a flag or a Python number.
_NUMBER_METHODS = """
size numel dim ndimension stride storage_offset item tolist is_contiguous nelement element_size data_ptr
get_device len int float bool str max min range isinstance getattr hasattr sym_size sym_numel sym_stride
prod_of_sizes index count keys values items get type is_floating_point
"""
NUMBER_METHODS = frozenset(_NUMBER_METHODS.split())

# Functions of at:: and torch:: in C++ that allocate, view, convert or ask.
_NO_COMPUTE_CPP = """
Tensor TensorOptions IntArrayRef ArrayRef Scalar ScalarType optional nullopt kFloat kHalf dtype device
maybe_wrap_dim wrap_dim infer_size infer_size_dimvector toString elementSize canCast device_of
check_dim_size DimVector globalContext AutoDispatchBelowADInplaceOrView NoGradGuard OptionalTensorRef
TensorArg CheckedFrom wrap_pybind_function from_blob layout requires_grad toAccumulateType ceil_div
parallel_for MemoryFormat isFloatingType isIntegralType checkAllSameGPU checkSameGPU is_floating_point
toOpMathType
"""
NO_COMPUTE_CPP = NO_COMPUTE_FUNCTIONS | frozenset(_NO_COMPUTE_CPP.split())
