import os
import signal

from torch.utils.data import DataLoader, Dataset


class Data(Dataset):
    def __len__(self):
        return 4

    def __getitem__(self, i):
        os.kill(os.getpid(), signal.SIGKILL)


for batch in DataLoader(Data(), num_workers=1):
    pass
