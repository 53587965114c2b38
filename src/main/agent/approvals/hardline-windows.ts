const ROOT = String.raw`["']?(?:[a-z]:[\\/]*\*?|[\\/]\*?|~|\$env:(?:userprofile|systemroot|systemdrive|homepath)|\$home|%(?:userprofile|systemroot|systemdrive|windir)%|[a-z]:[\\/](?:windows|users|program files)(?:[\\/][^\\/\s"']+)?)[\\/]?\*?["']?(?=\s|;|$)`

const TABLE: readonly [RegExp, string][] = [
  [
    new RegExp(String.raw`\b(?:remove-item|rm|ri|rd|rmdir|del|erase)\b[^;|&\n]{0,300}?\s${ROOT}`, 'i'),
    'It would delete a drive, the system or a whole home folder.',
  ],
  [
    /(?:^|[;|&\n]\s*)(?:format(?:\.com)?\s+[a-z]:|format-volume|clear-disk|diskpart|initialize-disk|cipher\s+\/w)/i,
    'It would wipe a disk.',
  ],
  [
    /(?:^|[;|&\n]\s*)(?:shutdown(?:\.exe)?\s+[/-](?:s|r|p|h|g|sg)\b|stop-computer|restart-computer|logoff)/i,
    'It would shut down or restart this computer.',
  ],
  [/%0\s*\|\s*%0/, 'It is a fork bomb: it would start processes until the computer stops answering.'],
  [
    /\b(?:bcdedit\s+\/delete|vssadmin\s+delete\s+shadows|reg\s+delete\s+["']?hk(?:lm|ey_local_machine)["']?(?:\s|$))/i,
    'It would damage what Windows needs to start or to recover.',
  ],
]

/** The floor on Windows, where commands run in PowerShell: a table of spellings, because nothing parses them here. */
export const windowsDanger = (command: string): string | undefined =>
  TABLE.find(([pattern]) => pattern.test(command))?.[1]
