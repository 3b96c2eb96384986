// Includes the umbrella header and calls into the library.
#include <lucid/lucid.h>

#include <cstdio>

int main() {
    std::printf("lucid %s, %d threads\n", LUCID_VERSION, lucid::get_num_threads());
    return lucid::get_num_threads() >= 1 ? 0 : 1;
}
