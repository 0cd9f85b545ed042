#!/usr/bin/env bash
# What a pipeline does with a cluster: deploy.sh plan | apply | rotate | destroy. Each can be rerun at any time.
# Needs aro-hcp and a sign-in. Variables: ARO_HCP_CONFIG, the settings (default: cluster.yaml); SIGNING_KEY, the private
# key of `aro-hcp create key-pair` in base64, without which every run in a new directory would publish another key.
set -euo pipefail

export ARO_HCP_CONFIG="${ARO_HCP_CONFIG:-cluster.yaml}"
out="${OUTPUT_DIR:-out}"

# The runner's directory is new in each run: put the key where `create all` looks for it, readable by this user only.
restore_key() {
  local key
  : "${SIGNING_KEY:?set it to the private key of aro-hcp create key-pair, in base64}"
  key="$(printf '%s' "$SIGNING_KEY" | base64 --decode)" || {
    echo "SIGNING_KEY is not base64" >&2
    exit 2
  }
  (umask 077 && mkdir -p "$out" && printf '%s\n' "$key" > "$out/serviceaccount-signer.private")
}

# Exit code 3: only warnings.
pass_warnings() {
  "$@" || { code=$?; [ "$code" -eq 3 ] || exit "$code"; }
}

case "${1:-}" in
  plan)
    # Code of a pull request could read the key, so a plan goes without it.
    if [ -n "${SIGNING_KEY:-}" ]; then restore_key; else echo "no SIGNING_KEY: the plan creates one" >&2; fi
    code=0
    aro-hcp create all --output-dir "$out" --dry-run --exit-code || code=$?
    case $code in
      0) echo "no changes" ;;
      7) echo "changes: review the plan above" ;;
      *) exit "$code" ;;
    esac
    ;;
  apply)
    restore_key
    aro-hcp create all --output-dir "$out" --output-events events.ndjson
    # With junit, the text is on standard error.
    pass_warnings aro-hcp verify all --input-dir "$out" --output-report report.html --output junit > junit.xml
    ;;
  rotate)
    # The first run creates new certificates; one after the overlap removes the old ones. Once a day at most.
    aro-hcp rotate credentials --output-events events.ndjson
    ;;
  destroy)
    aro-hcp destroy all --yes
    ;;
  *)
    echo "usage: deploy.sh plan | apply | rotate | destroy" >&2
    exit 2
    ;;
esac
