import { existsSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Signs that another program syncs the home with other computers, and the conflict copies it made. */
export type CloudTraces = {
  /** The sync service, if its name or its marker files are known. */
  service: string | undefined
  /** Names of conflict copies of Talaria's files in the home folder. None is ever opened. */
  copies: string[]
}

/** Folder names of sync services in a path. */
const SERVICES: readonly (readonly [RegExp, string])[] = [
  [/^dropbox( \(.*\))?$/i, 'Dropbox'],
  [/^onedrive( - .*)?$/i, 'OneDrive'],
  [/^(google ?drive|googledrive-.*|my drive)$/i, 'Google Drive'],
  [/^(mobile documents|icloud ?drive.*|com~apple~clouddocs)$/i, 'iCloud Drive'],
  [/^nextcloud\d*$/i, 'Nextcloud'],
  [/^owncloud$/i, 'ownCloud'],
  [/^(syncthing|sync)$/i, 'Syncthing'],
  [/^pcloud ?drive$/i, 'pCloud'],
  [/^mega(sync)?$/i, 'MEGA'],
  [/^yandex\.disk$/i, 'Yandex Disk'],
]
/** Marker files that sync services leave in their folders. */
const MARKS: readonly (readonly [string, string])[] = [
  ['.dropbox', 'Dropbox'],
  ['.stfolder', 'Syncthing'],
  ['.nextcloudsync.log', 'Nextcloud'],
  ['.owncloudsync.log', 'ownCloud'],
]

const OWN = ['state.db', 'config.yaml', 'permissions.json', '.env', 'keys.json', 'page-entry.json', 'SOUL.md']
/** File names that Talaria itself uses. */
const OURS = /^state\.(db(-wal|-shm|-journal)?|safe(-\d)?\.db(-wal|-shm|-journal)?)$/

/** Look for a service that syncs this home, and for its conflict copies. Reads only names. */
export function findCloudTraces(home: string): CloudTraces {
  const names = existsSync(home) ? readdirSync(home) : []
  return { service: serviceOf(home), copies: names.filter(isConflictCopy).toSorted() }
}

/** Return whether a name is a conflict copy of a Talaria file, as services and file managers name them. */
function isConflictCopy(name: string): boolean {
  if (OWN.includes(name) || OURS.test(name)) return false
  return OWN.some(own => {
    const dot = own.lastIndexOf('.')
    const [stem, ending] = dot > 0 ? [own.slice(0, dot), own.slice(dot)] : [own, '']
    if (!name.startsWith(stem)) return false
    const rest = name.slice(stem.length)
    const between = rest.endsWith(ending) ? rest.slice(0, rest.length - ending.length) : rest
    return /^[ ._-]*(\(.*\)|\d+|copy\b.*|.*(conflict|konflikt|conflit|conflicto).*|[-_][\p{L}\p{N}-]+)$/iu.test(
      between,
    )
  })
}

function serviceOf(home: string): string | undefined {
  for (let folder = home; folder !== dirname(folder); folder = dirname(folder)) {
    const name = folder.slice(dirname(folder).length).replace(/^[/\\]/, '')
    const known =
      SERVICES.find(([pattern]) => pattern.test(name)) ??
      MARKS.find(([mark]) => existsSync(join(folder, mark)))
    if (known) return known[1]
  }
  return undefined
}

/** Describe the traces for the user; undefined if there are none. */
export function describeCloudTraces({
  service,
  copies,
}: CloudTraces): { text: string; fix: string } | undefined {
  if (copies.length > 0)
    return {
      text: `Another program put copies beside files of this home folder. Talaria never opens them: ${copies.join(', ')}.`,
      fix: 'They may hold what another computer saved. Open each with a home folder of its own (copy it there as state.db) to look, and move it away then.',
    }
  if (service === undefined) return undefined
  return {
    text: `This home lies in a folder that ${service} keeps in step with other computers.`,
    fix: 'Use it on one computer at a time, and let the other program finish before you start Talaria on another computer.',
  }
}
