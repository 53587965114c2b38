/** The file's name shows which memory file it is a copy of, and which program uses such names. */
export type NamedCopy = { of: 'USER.md' | 'MEMORY.md'; by: string | null }

/** Starts of names such as “Copy of USER.md”, in the languages of systems and cloud drives. */
const LEADS =
  /^(?:copy of|copy \(\d+\) of|kopie von|kopie \(\d+\) von|copie de|copia de|copia di|cópia de|kopie van|kopia av|kopia|kopi av|kopi af|kopio|копия|копія|kopie|副本|コピー|のコピー)\s*[-–]?\s*/iu

/** Suffixes for versions that a program could not merge. The first match names the program. */
const MAKERS: readonly (readonly [by: string, suffix: RegExp])[] = [
  ['Syncthing', /^\.sync-conflict-\d{8}-\d{6}/i],
  ['Seafile', /^ ?\(SFConflict\b/i],
  ['git-annex', /^\.variant-[0-9a-f]{4}/i],
  ['Synology Drive', /_(?:Case)?Conflict$/i],
  ['Resilio Sync', /^\.Conflict\d*$/i],
  ['ownCloud or Nextcloud', /^_conflict-\d{8}/i],
  ['Nextcloud or Dropbox', /^ ?\(conflicted copy \d{4}-\d{2}-\d{2}(?: \d{6})?\)/i],
  ['pCloud', /^ ?\[conflicted\]/i],
  ['Dropbox', /\((?:case|selective sync|unicode encoding|white ?space) conflict/i],
  ['Dropbox', /\(.*(?:conflicted copy|konflikt|conflit|conflicto|conflitto|conflito|conflict)/iu],
  [
    'Dropbox',
    /\(.*(?:конфликт|конфлікт|競合コピー|冲突副本|衝突複本|衝突副本|충돌|çakış|ขัดแย้ง|تعارض|σύγκρουσ)/iu,
  ],
  ['a program that synchronises', /conflict|konflikt|conflit|conflicto|conflitto|конфликт|冲突|衝突|競合/iu],
  ['Google Drive or a browser', /^ ?\(\d+\)$/],
  ['iCloud Drive or the Finder', /^ \d+$/],
  [
    'Windows Explorer',
    /^ - (?:copy|kopie|copie|copia|cópia|kopia|kopi|копия|副本|コピー|복사본)(?: ?\(\d+\))?$/iu,
  ],
  ['the Finder', /^ (?:copy|kopie|copie|copia|cópia|kopia|kopi|копия|副本|のコピー|사본)(?: \d+)?$/iu],
  ['OneDrive', /^-[\p{L}\p{N}][\p{L}\p{N}_.-]*$/u],
]

/** Endings after the whole name, from version control and rclone. */
const ENDINGS: readonly (readonly [by: string, ending: RegExp])[] = [
  ['Subversion', /^\.(?:mine|theirs|r\d+|merge-(?:left|right)\.r\d+)$/i],
  ['git', /^~(?:HEAD|[\w./-]{2,})$/],
  ['rclone', /^\.(?:conflict\d+|\.?path\d+)$/i],
]

/**
 * Read the name of a file beside the memory files. Undefined for the memory files themselves, our own copies,
 * temporary files of editors, and anything else.
 */
export function copyNamed(name: string): NamedCopy | undefined {
  const plain = name.normalize('NFC')
  if (plain.startsWith('.') || plain === 'USER.md' || plain === 'MEMORY.md') return undefined
  const lead = LEADS.exec(plain)?.[0]
  const rest = lead === undefined ? plain : plain.slice(lead.length)
  const found = /^(user|memory)(.*)$/isu.exec(rest)
  if (!found) return undefined
  const of = found[1]!.toLowerCase() === 'user' ? 'USER.md' : 'MEMORY.md'
  const tail = found[2]!
  if (/^\.md$/i.test(tail)) return { of, by: null }
  const behind = /^\.md(.+)$/i.exec(tail)?.[1]
  if (behind !== undefined && !/\.md$/i.test(behind)) return named(of, ENDINGS, behind, false)
  const suffix = tail.replace(/\.(?:md|markdown|txt)$/i, '')
  if (suffix === tail || /^[\p{L}\p{N}]/u.test(suffix)) return undefined
  return named(of, MAKERS, suffix, true)
}

function named(
  of: NamedCopy['of'],
  table: typeof MAKERS,
  suffix: string,
  isCopyAnyway: boolean,
): NamedCopy | undefined {
  const by = table.find(([, pattern]) => pattern.test(suffix))?.[0]
  return by === undefined && !isCopyAnyway ? undefined : { of, by: by ?? null }
}

/** The placeholder for a file that iCloud Drive has removed from this computer. */
export const placeholderOf = (name: string): string => `.${name}.icloud`

/** The name of the file that an iCloud Drive placeholder stands for; undefined for other names. */
export const heldInCloud = (name: string): string | undefined =>
  /^\.(.+)\.icloud$/i.exec(name.normalize('NFC'))?.[1]

/** Whether a folder beside `memories` is a copy made by a sync program. */
export const isFolderCopy = (name: string): boolean =>
  /^memories(?: \d+| ?\(.+\)|[-_.].*conflict.*)$/iu.test(name.normalize('NFC'))
