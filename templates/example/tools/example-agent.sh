#!/bin/sh
# The example agent: a program instead of a model, so that it does the same thing everywhere and costs nothing.
# Like any agent it edits files in its cell, tries the verify command, and says what it did in done.json; what it says
# is only a claim, and is checked in another cell.
set -eu

started=$(date -u +%Y-%m-%dT%H:%M:%SZ)

cat > src/greet.sh <<'GREET'
#!/bin/sh
echo "Hello, ${1:-world}!"
GREET

mkdir -p docs
cat > docs/usage.md <<'USAGE'
# Usage

    sh src/greet.sh [name]

Greets the name, or the world when there is none.
USAGE

code=0
sh test/greet.test.sh > "$HOME/verify.log" 2>&1 || code=$?
if [ "$code" = 0 ]; then status=done_clean; stderr=''; else status=failed; stderr='test/greet.test.sh failed'; fi

cat > "$HOME/done.json" <<DONE
{
  "agent": "example",
  "status": "$status",
  "started_at": "$started",
  "finished_at": "$(date -u +%Y-%m-%dT%H:%M:%SZ)",
  "evidence": {
    "verify_command": "sh test/greet.test.sh",
    "verify_exit_code": $code,
    "verify_stderr": "$stderr"
  },
  "regressions": [],
  "pending_actions": []
}
DONE
exit "$code"
