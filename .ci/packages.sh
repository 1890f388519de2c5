# What the tests need besides Go, and how it comes onto a Debian or Ubuntu machine. Sourced, not run.

# The folder of PostgreSQL's programs, of the newest version there is; fails when there is none.
postgres_folder() {
	local newest
	newest=$(find /usr/lib/postgresql/*/bin -maxdepth 1 -name initdb 2>/dev/null | sort -V | tail -n 1 || true)
	if [ -z "$newest" ]; then
		newest=$(command -v initdb || true)
	fi
	[ -n "$newest" ] && dirname "$newest"
}

# has WHAT: whether it is there already.
has() {
	case $1 in
	postgres) postgres_folder >/dev/null ;;
	patroni) command -v patroni >/dev/null ;;
	etcd) command -v etcd >/dev/null ;;
	redis) command -v redis-server >/dev/null ;;
	curl) command -v curl >/dev/null ;;
	node) command -v npm >/dev/null ;;
	chromium) [ -x "${CHROMIUM:-/usr/bin/chromium}" ] ;;
	fonts) [ -d /usr/share/fonts/opentype/noto ] ;;
	jq) command -v jq >/dev/null ;;
	scanner) command -v clamd >/dev/null ;;
	poppler) command -v pdftotext >/dev/null ;;
	promtool) command -v promtool >/dev/null ;;
	nginx) command -v nginx >/dev/null ;;
	caddy) command -v caddy >/dev/null ;;
	systemd) command -v systemd-analyze >/dev/null ;;
	perlclient) perl -MOpenAPI::Client -MNet::IDN::Encode -e 1 2>/dev/null ;;
	compiler) command -v "${CC:-$(go env CC)}" >/dev/null ;; # the race detector is linked by a C compiler
	esac
}

# need_packages WHAT...: installs the packages of what is missing, and says what to do where that is not possible.
need_packages() {
	local what packages=()
	for what in "$@"; do
		has "$what" && continue
		case $what in
		postgres) packages+=(postgresql) ;;
		patroni) packages+=(patroni python3-etcd) ;;
		etcd) packages+=(etcd-server) ;;
		redis) packages+=(redis-server) ;;
		curl) packages+=(curl ca-certificates) ;;
		node) packages+=(nodejs npm) ;;
		chromium) packages+=(chromium) ;;
		fonts) packages+=(fonts-noto-cjk) ;;
		jq) packages+=(jq) ;;
		scanner) packages+=(clamav-daemon) ;;
		poppler) packages+=(poppler-utils) ;;
		promtool) packages+=(prometheus) ;;
		nginx) packages+=(nginx-light) ;;
		caddy) packages+=(caddy) ;;
		systemd) packages+=(systemd) ;;
		perlclient) packages+=(libopenapi-client-perl libnet-idn-encode-perl) ;;
		compiler) packages+=(gcc libc6-dev) ;;
		esac
	done
	[ ${#packages[@]} -eq 0 ] && return
	if ! command -v apt-get >/dev/null; then
		echo "The tests need ${packages[*]}; install them, or set TEST_DATABASE_URL and TEST_REDIS_URL to servers that may be written to." >&2
		return 1
	fi
	echo "installing ${packages[*]}" >&2
	as_root apt-get -qq update >&2 &&
		as_root env DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends "${packages[@]}" </dev/null >&2
}

as_root() {
	if [ "$(id -u)" -eq 0 ]; then
		"$@"
	else
		sudo -- "$@"
	fi
}
