#pragma once

// Included by tests of the core that also ask what a wing registers (SimGrid, bounds, ideal routing): a build without wings
// leaves them out.
