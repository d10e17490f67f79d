#!/usr/bin/env bash
# Label Studio: projects, tasks, annotations, views, labels, webhooks, storages. Django REST framework, Apache-2.0.
. "$(dirname "$0")/common.sh"
VERSION=1.23.2

# The version check, the analytics and the error reports would go out.
export LABEL_STUDIO_BASE_DATA_DIR=$PWD LABEL_STUDIO_ENABLE_LEGACY_API_TOKEN=true SECRET_KEY=for-the-check-alone
export LATEST_VERSION_CHECK=false COLLECT_ANALYTICS=false SENTRY_DSN='' FRONTEND_SENTRY_DSN=''
# Storages of files, and webhooks that name this machine.
export LOCAL_FILES_SERVING_ENABLED=true LOCAL_FILES_DOCUMENT_ROOT=/usr SSRF_PROTECTION_ENABLED=false

version() { echo $VERSION; }
# Migrating a new database takes minutes: an empty one is kept.
install() {
  pip_install label-studio==$VERSION
  [ -s "$INSTALLED/empty/label_studio.sqlite3" ] && return
  rm -rf "$INSTALLED/migrating"
  mkdir "$INSTALLED/migrating"
  LABEL_STUDIO_BASE_DATA_DIR=$INSTALLED/migrating "$INSTALLED/bin/label-studio" version >&2
  mv "$INSTALLED/migrating" "$INSTALLED/empty"
}
start() {
  cp "$INSTALLED/empty/label_studio.sqlite3" .
  exec "$INSTALLED/bin/label-studio" start --port "$1" --internal-host 127.0.0.1 --no-browser \
    --username a@example.org --password Fidelity-1 --user-token fidelity --enable-legacy-api-token
}
document() { curl -fsS "http://127.0.0.1:$1/docs/api/schema/json/"; }
main "$@"
