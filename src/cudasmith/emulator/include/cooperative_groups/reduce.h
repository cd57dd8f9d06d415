// Resolves <cooperative_groups/reduce.h> to the emulator.
#pragma once
#include <cooperative_groups.h>
