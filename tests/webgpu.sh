# The WebGPU devices that script tests run on. Source it after tap.sh.
# shellcheck shell=sh

worker_built() {
    [ -x "$(dirname "$WGSIM")/wgsim-webgpu" ]
}

# The pairs of library and device that a machine without a GPU can have.
devices='
libwgpu_native-release.so llvmpipe
libwebgpu_wrapper.so SwiftShader
'

# has_device LIBRARY DEVICE
has_device() {
    "$WGSIM" list devices --webgpu --webgpu-lib "$1" 2>/dev/null | grep -q "$2"
}

# each_device FUNCTION: calls it with library and device; a device that is absent is one skipped test.
each_device() {
    while read -r library device; do
        [ -n "$library" ] || continue
        if has_device "$library" "$device"; then
            "$1" "$library" "$device"
        else
            tap_count=$((tap_count + 1))
            echo "ok $tap_count - $1 on $library, $device # SKIP no such device here"
        fi
    done <<LIST
$devices
LIST
}
