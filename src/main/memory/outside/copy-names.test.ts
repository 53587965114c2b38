import { expect, test } from 'vitest'
import { copyNamed, heldInCloud, isFolderCopy } from './copy-names.ts'

test.for([
  ['USER (conflicted copy 2026-03-01).md', 'USER.md', 'Nextcloud or Dropbox'],
  ["USER (Ada's conflicted copy 2026-03-01).md", 'USER.md', 'Dropbox'],
  ['USER (Ada’s conflicted copy 2026-03-01 (1)).md', 'USER.md', 'Dropbox'],
  ['MEMORY (In Konflikt stehende Kopie von Ada 2026-03-01).md', 'MEMORY.md', 'Dropbox'],
  ['USER (Copie en conflit de Ada 2026-03-01).md', 'USER.md', 'Dropbox'],
  ['USER (Copia en conflicto de Ada 2026-03-01).md', 'USER.md', 'Dropbox'],
  ['USER (copia in conflitto di Ada 2026-03-01).md', 'USER.md', 'Dropbox'],
  ['USER (Cópia em conflito de Ada 2026-03-01).md', 'USER.md', 'Dropbox'],
  ['USER (конфликтующая копия Ada 2026-03-01).md', 'USER.md', 'Dropbox'],
  ['USER (Ada の競合コピー 2026-03-01).md', 'USER.md', 'Dropbox'],
  ['USER (Ada 的冲突副本 2026-03-01).md', 'USER.md', 'Dropbox'],
  ['USER (Case Conflict).md', 'USER.md', 'Dropbox'],
  ['USER.sync-conflict-20260301-101112-ABCDEFG.md', 'USER.md', 'Syncthing'],
  ['MEMORY.sync-conflict-20260301-101112-ABCDEFG.md', 'MEMORY.md', 'Syncthing'],
  ['USER 2.md', 'USER.md', 'iCloud Drive or the Finder'],
  ['USER copy.md', 'USER.md', 'the Finder'],
  ['USER-DESKTOP-4F2A.md', 'USER.md', 'OneDrive'],
  ['USER-Adas MacBook Pro.md', 'USER.md', null],
  ['USER_conflict-20260301-101112.md', 'USER.md', 'ownCloud or Nextcloud'],
  ['USER (conflicted copy 2026-03-01 101112).md', 'USER.md', 'Nextcloud or Dropbox'],
  ['USER (1).md', 'USER.md', 'Google Drive or a browser'],
  ['USER(1).md', 'USER.md', 'Google Drive or a browser'],
  ['Copy of USER.md', 'USER.md', null],
  ['Kopie von MEMORY.md', 'MEMORY.md', null],
  ['USER - Copy.md', 'USER.md', 'Windows Explorer'],
  ['USER - Kopie (2).md', 'USER.md', 'Windows Explorer'],
  ['USER (SFConflict ada@example.org 2026-03-01-10-11-12).md', 'USER.md', 'Seafile'],
  ['USER_Laptop_Mar-01-101112-2026_Conflict.md', 'USER.md', 'Synology Drive'],
  ['USER.Conflict.md', 'USER.md', 'Resilio Sync'],
  ['USER [conflicted].md', 'USER.md', 'pCloud'],
  ['USER.variant-1a2b.md', 'USER.md', 'git-annex'],
  ['USER.md~HEAD', 'USER.md', 'git'],
  ['USER.md.mine', 'USER.md', 'Subversion'],
  ['USER.md.r12', 'USER.md', 'Subversion'],
  ['USER.md.conflict1', 'USER.md', 'rclone'],
  ['user.md', 'USER.md', null],
  ['USER (Co\u0301pia em conflito de Ada).md', 'USER.md', 'Dropbox'],
] as const)('%s is a copy of %s, by %s', ([name, of, by]) => {
  expect(copyNamed(name)).toEqual({ of, by })
})

test.for([
  'USER.md',
  'MEMORY.md',
  'USER.md.bak.1772359872',
  'USER.md~',
  'USER.md.swp',
  'USER.md.tmp',
  '.USER.md.1a2b3c.tmp',
  '.syncthing.USER.md.tmp',
  'USERS.md',
  'USERNAME (1).md',
  'MEMORYSTICK.md',
  'projects',
  'README.md',
  'USER.png',
  'ÜSER (1).md',
])('%s is no copy', name => {
  expect(copyNamed(name)).toBeUndefined()
})

test('placeholders of iCloud and copies of the whole folder are recognised', () => {
  expect(['.USER 2.md.icloud', '.USER.md.icloud', 'USER.md'].map(heldInCloud)).toEqual([
    'USER 2.md',
    'USER.md',
    undefined,
  ])
  const names = [
    'memories 2',
    'memories (conflicted copy 2026-03-01)',
    'memories.sync-conflict-1',
    'memories',
    'memoriesX',
  ]
  expect(names.map(isFolderCopy)).toEqual([true, true, true, false, false])
})
