# Helpers of the script tests: each check prints one TAP line. Source it, then call `plan_done` last.
# shellcheck shell=sh
tap_count=0
tap_failed=0

# pass NAME, fail NAME [WHY]
pass() {
    tap_count=$((tap_count + 1))
    printf 'ok %d - %s\n' "$tap_count" "$1"
}
fail() {
    tap_count=$((tap_count + 1))
    tap_failed=$((tap_failed + 1))
    printf 'not ok %d - %s\n' "$tap_count" "$1"
    [ -z "${2-}" ] || printf '%s\n' "$2" | sed 's/^/# /'
}

# skip_all WHY: the whole script has nothing to test on this machine.
skip_all() {
    printf '1..0 # SKIP %s\n' "$1"
    exit 0
}

# is NAME GOT EXPECTED
is() {
    if [ "$2" = "$3" ]; then
        pass "$1"
    else
        fail "$1" "got:
$2
expected:
$3"
    fi
}

# exits NAME STATUS COMMAND...: runs it; stdout and stderr are then in $out and $err.
exits() {
    tap_name=$1
    tap_status=$2
    shift 2
    "$@" >"$scratch/out" 2>"$scratch/err" </dev/null
    tap_got=$?
    # The callers read these.
    # shellcheck disable=SC2034
    out=$(cat "$scratch/out")
    err=$(cat "$scratch/err")
    if [ "$tap_got" = "$tap_status" ]; then
        pass "$tap_name"
    else
        fail "$tap_name" "exit status $tap_got, not $tap_status; stderr: $err"
    fi
}

plan_done() {
    printf '1..%d\n' "$tap_count"
    [ "$tap_failed" = 0 ]
}

scratch=$(mktemp -d) || exit 99
trap 'rm -rf "$scratch"' EXIT
