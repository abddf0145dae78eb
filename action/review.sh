#!/usr/bin/env bash
# Reviews the pull request of this run, or answers what people asked on it. What was asked for comes in variables and is handed on as arguments; nothing of it is ever read
# as a command, neither by this shell nor by the runner that reads the log.
set -euo pipefail

if [ -n "$MODEL_KEY" ]; then
  if ! [[ $MODEL_KEY_VARIABLE =~ ^[A-Z][A-Z0-9_]*_KEY$ ]]; then
    echo 'galley: key-variable must name the variable of the key, for example ANTHROPIC_API_KEY' >&2
    exit 2
  fi
  export "$MODEL_KEY_VARIABLE=$MODEL_KEY"
fi
unset MODEL_KEY

case "$COMMAND" in
  review)
    arguments=(pr review --plan-without-key)
    if [ "$POST" = true ]; then arguments+=(--post); fi
    ;;
  answer) arguments=(pr answer) ;;
  *)
    echo 'galley: command must be review or answer' >&2
    exit 2
    ;;
esac
if [ "$DRY_RUN" = true ]; then arguments+=(--dry-run); fi
add() { if [ -n "$2" ]; then arguments+=("$1" "$2"); fi; }
add --model "$MODEL"
if [ "$COMMAND" = review ]; then
  add --fail-level "$FAIL_LEVEL"
  add --min-severity "$MIN_SEVERITY"
  add --sarif "$SARIF"
fi
add --max-cost "$MAX_COST"
add --max-pull-cost "$MAX_PULL_COST"
add --max-month-cost "$MAX_MONTH_COST"
add --max-pages "$MAX_PAGES"
add --context "$CONTEXT"
add --language "$FINDINGS_LANGUAGE"

# Paths and findings stand in the log, and a line of a log can be a command to the runner. One stream keeps the lines in their order.
exec 2>&1
silence=$(node -p 'crypto.randomUUID()')
echo "::stop-commands::$silence"
status=0
node "$PROGRAM/bin/galley.js" "${arguments[@]}" || status=$?
echo
echo "::$silence::"

if [ -n "$(ls -A "$GALLEY_ANSWERS" 2>/dev/null)" ]; then echo kept=true >> "$GITHUB_OUTPUT"; fi
exit "$status"
