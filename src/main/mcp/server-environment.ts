/**
 * The variables of this process that a server gets: what programs need of any system, and what the network needs. Its own come
 * from its entry, where `${NAME}` takes over one that it asks for. A variable with a harmless name may hold a key all the same.
 */
const NEEDED =
  /^(?:PATH|HOME|USER|LOGNAME|SHELL|TERM|LANG|LANGUAGE|LC_\w+|TZ|TMPDIR|TMP|TEMP|PWD|(?:https?|all|no)_proxy|SSL_CERT_(?:FILE|DIR)|NODE_EXTRA_CA_CERTS|REQUESTS_CA_BUNDLE|CURL_CA_BUNDLE|XDG_(?:CONFIG|DATA|CACHE|STATE)_HOME|JAVA_HOME|DOTNET_ROOT|NVM_DIR|VOLTA_HOME|PYENV_ROOT|ASDF_DIR|RUSTUP_HOME|GOROOT|DISPLAY|WAYLAND_DISPLAY|XAUTHORITY|XDG_RUNTIME_DIR|DBUS_SESSION_BUS_ADDRESS|SYSTEMROOT|SYSTEMDRIVE|WINDIR|COMSPEC|PATHEXT|OS|PROCESSOR_ARCHITECTURE|NUMBER_OF_PROCESSORS|USERPROFILE|USERNAME|USERDOMAIN|HOMEDRIVE|HOMEPATH|APPDATA|LOCALAPPDATA|PROGRAMDATA|ALLUSERSPROFILE|PUBLIC|PROGRAMFILES(?:\(X86\))?|PROGRAMW6432|COMMONPROGRAMFILES(?:\(X86\))?)$/i

/** What a server gets of an environment: what is needed, and what Talaria itself put there, which this process has otherwise. */
export const serverEnvironment = (
  prepared: NodeJS.ProcessEnv,
  ours: NodeJS.ProcessEnv = process.env,
): NodeJS.ProcessEnv =>
  Object.fromEntries(
    Object.entries(prepared).filter(([name, value]) => NEEDED.test(name) || value !== ours[name]),
  )
