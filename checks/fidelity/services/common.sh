# Sourced by the script of each service: SERVICE.sh install | start PORT | document PORT | version
# What is installed lies in checks/fidelity/installed/SERVICE, what a service stores in a new folder for each start.
set -euo pipefail
HERE=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
NAME=$(basename "$0" .sh)
INSTALLED=$HERE/installed/$NAME
mkdir -p "$INSTALLED"

# pip_install PACKAGE==VERSION...
pip_install() {
  [ -x "$INSTALLED/bin/python" ] || python3 -m venv "$INSTALLED"
  "$INSTALLED/bin/pip" install --quiet --disable-pip-version-check "$@"
}

# maven_copy GROUP:ARTIFACT:VERSION[:TYPE[:CLASSIFIER]]
maven_copy() {
  mvn --quiet --batch-mode org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy \
    -Dartifact="$1" -DoutputDirectory="$INSTALLED" -Dmdep.overWriteReleases=false
}

main() {
  case ${1:-} in
    install | start | document | version) "$@" ;;
    *) echo "usage: $0 install | start PORT | document PORT | version" >&2; exit 2 ;;
  esac
}
