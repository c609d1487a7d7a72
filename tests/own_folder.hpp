#pragma once

#include "tests/support/folders.hpp"
