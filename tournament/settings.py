"""Settings. Everything a club may want to change is an environment variable; the defaults run a hall from a laptop."""

from __future__ import annotations

import os
import re
import secrets
from logging import Formatter, LogRecord
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

from csp.constants import NONE, SELF
from django.core.exceptions import ImproperlyConfigured, PermissionDenied, SuspiciousOperation

from tournament import demo
from tournament.site.data_folder import PAGES as PAGES
from tournament.site.data_folder import ROOT as ROOT
from tournament.site.data_folder import data_folder, is_demo, is_hosted, is_internet, own_folder, why_not_hosted
from tournament.site.database import database_settings
from tournament.site.network import networks, own_hosts

DATA = data_folder()
# Folders on other disks into which every backup is copied, with `os.pathsep` between them.
BACKUPS = "" if is_demo() else os.environ.get("UPTOWN_BACKUPS", "")

# The hall runs on plain http in its own network; a site on the internet sets UPTOWN_PROFILE=internet.
INTERNET = is_internet()
# Several processes serve one site: what they share must come from the environment, or none of them starts.
if is_hosted() and why_not_hosted():
    raise ImproperlyConfigured(why_not_hosted())
# Set by `manage.py demo` and confirmed by its folder; both are needed: people sign in there without a password.
DEMO = is_demo()
HTTPS = INTERNET or os.environ.get("UPTOWN_HTTPS") == "1"
DEBUG = os.environ.get("UPTOWN_DEBUG") == "1"
# Set by `manage.py venue`: where the site is, and the page over plain http where a tablet learns to trust it.
HALL_SITE, HALL_TRUST = os.environ.get("UPTOWN_SITE", ""), os.environ.get("UPTOWN_TRUST", "")


def _secret_key() -> str:
    """A key for this installation, created at the first start and readable only by its owner."""
    if os.environ.get("UPTOWN_SECRET_KEY") and not DEMO:
        return os.environ["UPTOWN_SECRET_KEY"]
    path = DATA / "secret-key"
    if path.exists():
        return path.read_text(encoding="ascii")
    own_folder(DATA)
    try:
        with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="ascii") as file:
            file.write(secrets.token_urlsafe(64))
    except FileExistsError:
        pass
    return path.read_text(encoding="ascii")


SECRET_KEY = _secret_key()
# The site's one address: links in mails and previews begin with it, whatever a request says.
ADDRESS = urlsplit(os.environ.get("UPTOWN_ADDRESS", ""))
ALLOWED_HOSTS = [host for host in (*os.environ.get("UPTOWN_HOSTS", "").split(","), ADDRESS.hostname) if host]
ALLOWED_HOSTS = ALLOWED_HOSTS or own_hosts()
CSRF_TRUSTED_ORIGINS = [origin for origin in os.environ.get("UPTOWN_ORIGINS", "").split(",") if origin]

INSTALLED_APPS = [
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "django_tables2",
    "django_htmx",
    "csp",
    "django_otp",
    "django_otp.plugins.otp_totp",
    "django_otp.plugins.otp_static",
    "tournament",
]
MIDDLEWARE = [
    "tournament.gate.middleware.EdgeMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "tournament.gate.public_pages.PublicPagesMiddleware",
    "tournament.gate.middleware.TabletPollMiddleware",
    "csp.middleware.CSPMiddleware",
    "tournament.site.static_files.FilesMiddleware",
    "tournament.gate.middleware.TextMiddleware",
    "tournament.gate.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "tournament.gate.middleware.ActorMiddleware",
]
ROOT_URLCONF = "tournament.urls"
# The player of rehearsals: a site that never rehearses does not load it.
REHEARSE = "tournament.demo.evenings.rehearse"
WSGI_APPLICATION = "tournament.wsgi.application"
TEMPLATES: list[dict[str, Any]] = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [PAGES],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "tournament.access.rights_on_page",
            ],
            "builtins": ["tournament.templatetags.uptown"],
        },
    }
]

# The demo keeps to its folder, whatever database the club has.
DATABASE_URL = "" if DEMO else os.environ.get("TEST_DATABASE_URL") or os.environ.get("DATABASE_URL", "")
DATABASES = {"default": database_settings(DATABASE_URL, DATA)}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# One process counts tries in its own memory; several share the counts. Sessions stay rows of the database.
CACHES: dict[str, Any] = {
    "default": {"BACKEND": "tournament.site.limits.ProcessCache", "OPTIONS": {"MAX_ENTRIES": 10_000}},
}
if UPTOWN_CACHE := os.environ.get("UPTOWN_CACHE", ""):
    CACHES = {
        "default": {
            "BACKEND": "tournament.site.shared_cache.SharedCache",
            "LOCATION": UPTOWN_CACHE,
            "KEY_PREFIX": "uptown",
            "OPTIONS": {"socket_timeout": 1, "socket_connect_timeout": 1},
        }
    }

# Sessions hold this address, so it stays although the backend moved to `tournament/site/passwords.py`.
AUTHENTICATION_BACKENDS = ["tournament.passwords.PasswordBackend"]
PASSWORD_HASHERS = ["tournament.site.passwords.QueuedHasher"]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "tournament.site.passwords.LengthValidator"},
    {"NAME": "tournament.site.passwords.PlainValidator"},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
]
# On the internet owners and directors also type the code of an app. In a hall nobody is asked for one.
SECOND_FACTOR = INTERNET
OTP_TOTP_ISSUER = "Uptown"
LOGIN_URL = "sign-in"
LOGIN_REDIRECT_URL = "events"
LOGOUT_REDIRECT_URL = "events"

# smtp://USER:PASSWORD@HOST:587/?from=ADDRESS, or smtps:// with port 465. Without it no mail is sent.
MAIL = os.environ.get("UPTOWN_MAIL", "")
_mail = urlsplit(MAIL)
EMAIL_HOST, EMAIL_PORT = _mail.hostname or "", _mail.port or 587
EMAIL_HOST_USER, EMAIL_HOST_PASSWORD = unquote(_mail.username or ""), unquote(_mail.password or "")
EMAIL_USE_TLS, EMAIL_USE_SSL = _mail.scheme == "smtp", _mail.scheme == "smtps"
DEFAULT_FROM_EMAIL = parse_qs(_mail.query).get("from", [EMAIL_HOST_USER])[0]
EMAIL_TIMEOUT = 10

# The club's own name, for the front page of its site.
CLUB = os.environ.get("UPTOWN_CLUB", "")[:60]

LANGUAGE_CODE = "en-us"
TIME_ZONE = "UTC"
USE_I18N = False
USE_TZ = True

STATIC_URL = "/static/"
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "tournament.site.static_files.SiteFiles"},
}
# Static files are created there before the first answer, under any server; in a development run they are the sources.
STATIC_FOLDER = DATA / "static"
WHITENOISE_USE_FINDERS = DEBUG
WHITENOISE_MAX_AGE = 0
WHITENOISE_IMMUTABLE_FILE_TEST = r"\.[0-9a-f]{12}\.\w+$"

CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF, "data:"],
        "font-src": [SELF],
        "connect-src": [SELF],
        "manifest-src": [SELF],
        "worker-src": [SELF],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
        "base-uri": [NONE],
        "object-src": [NONE],
    }
}
SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
# Counted from a person's last page or act; that time is written every ten minutes (`tournament/site/sessions.py`).
SESSION_COOKIE_AGE = 12 * 3600
CSRF_COOKIE_SAMESITE = "Lax"
CSRF_FAILURE_VIEW = "tournament.views.errors.csrf_refused"
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = HTTPS
# With this prefix a browser accepts them only from this very host over https.
HOST_COOKIES = "__Host-sessionid", "__Host-csrftoken"
SESSION_COOKIE_NAME, CSRF_COOKIE_NAME = HOST_COOKIES if HTTPS else ("sessionid", "csrftoken")
SECURE_SSL_REDIRECT = INTERNET
SECURE_HSTS_SECONDS = 31536000 if INTERNET else 0
SECURE_HSTS_INCLUDE_SUBDOMAINS = SECURE_HSTS_PRELOAD = INTERNET
# How many proxies of the club's own are in front, each of which names its client; other addresses may not.
PROXIES = int(os.environ.get("UPTOWN_BEHIND_PROXY") or 0)
PROXY_NETWORKS = networks(os.environ.get("UPTOWN_PROXIES") or "127.0.0.0/8,::1")
if PROXIES:
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")

DATA_UPLOAD_MAX_MEMORY_SIZE = 2 * 1024 * 1024
FILE_UPLOAD_MAX_MEMORY_SIZE = 2 * 1024 * 1024
DATA_UPLOAD_MAX_NUMBER_FIELDS = 3000
UPLOAD_LIMIT_BYTES = 2 * 1024 * 1024
# Event files hold every line of every sheet: 500 teams and six games need 9 MB.
EVENT_FILE_LIMIT_BYTES = 32 * 1024 * 1024

DJANGO_TABLES2_TEMPLATE = "components/table.html"
# In a cookie: otherwise a hand that is received would cause two more writes, for the session.
MESSAGE_STORAGE = "django.contrib.messages.storage.fallback.FallbackStorage"
FORM_RENDERER = "django.forms.renderers.TemplatesSetting"
INSTALLED_APPS.insert(0, "django.forms")


def without_trace(record: LogRecord) -> bool:
    """A refusal is an answer and not a failure: one line, without the place in the program."""
    if record.exc_info and isinstance(record.exc_info[1], PermissionDenied | SuspiciousOperation):
        record.exc_info = None
    return True


# Secrets in addresses: the link in a mail, even if the mail program added to it, the private link of an entry, and the
# code of a card typed after the site's address.
OPENS = re.compile(
    r"(?<=/password/new/).+|(?<=/entry/)[^/\s]{20,}|(?<=/t/)\w{4}.?\w{4}(?=/?$)", re.MULTILINE | re.IGNORECASE
)


class LineFormatter(Formatter):
    """A line of the log from which nobody can open anything."""

    def format(self, record: LogRecord) -> str:
        return OPENS.sub("***", super().format(record))


LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"line": {"()": LineFormatter, "fmt": "%(asctime)s %(levelname)s %(name)s %(message)s"}},
    "filters": {"answers": {"()": "django.utils.log.CallbackFilter", "callback": without_trace}},
    "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "line", "filters": ["answers"]}},
    "root": {"handlers": ["console"], "level": "WARNING"},
}

if DEMO:
    ROOT_URLCONF = demo.ROOT_URLCONF
    MIDDLEWARE += demo.MIDDLEWARE
    # Its doors open before anybody counts a password that nobody has.
    AUTHENTICATION_BACKENDS = demo.AUTHENTICATION_BACKENDS + AUTHENTICATION_BACKENDS
    TEMPLATES[0]["OPTIONS"]["context_processors"] += demo.CONTEXT_PROCESSORS
