// Resolves <cooperative_groups/scan.h> to the emulator.
#pragma once
#include <cooperative_groups.h>
