#pragma once
#include "../torch_stub.h"
