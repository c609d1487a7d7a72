#pragma once

// Included by tests of the core that also ask SimGrid (`vtopo::simgrid`): a build without wings leaves them out.
