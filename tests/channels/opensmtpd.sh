#!/bin/sh
# OpenSMTPD beside Postfix: unpacked, not installed, because the packages exclude each other.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
chmod 755 "$folder"
(cd "$folder" && apt-get download opensmtpd >/dev/null)
dpkg -x "$folder"/opensmtpd_*.deb /opt/opensmtpd
mkdir -p /usr/libexec && cp -r /opt/opensmtpd/usr/libexec/opensmtpd /usr/libexec/
libraries=$(dpkg-deb -f "$folder"/opensmtpd_*.deb Depends | tr ',' '\n' | sed 's/^ *//; s/[ (|].*//' | grep '^lib')
apt-get install -y -q --no-install-recommends $libraries >/dev/null
for user in opensmtpd opensmtpq vmail; do
  id "$user" >/dev/null 2>&1 || useradd -r -M "$user"
done
mkdir -p /var/spool/smtpd /var/lib/opensmtpd/empty
chmod 711 /var/spool/smtpd
