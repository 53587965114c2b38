import { expect, test } from 'vitest'
import { Fault } from '../../../shared/rpc.ts'
import { parted, readGitAddress, writtenAddress } from './git-address.ts'

const HOST = 'forge.example'

test.for([
  [`https://${HOST}/owner/repo`, `https://${HOST}/owner/repo`, ''],
  [`https://${HOST}/owner/repo.git/`, `https://${HOST}/owner/repo.git`, ''],
  [`${HOST}/owner/repo`, `https://${HOST}/owner/repo`, ''],
  [`https://${HOST}:8443/a/b?tab=readme#v1.2`, `https://${HOST}:8443/a/b`, 'v1.2'],
  [`git@${HOST}:owner/repo.git#main`, `git@${HOST}:owner/repo.git`, 'main'],
  [`ssh://git@${HOST}/owner/repo`, `ssh://git@${HOST}/owner/repo`, ''],
] as const)('%s is a repository', ([given, repository, ref]) => {
  const read = readGitAddress(given)
  expect(read).toEqual({ repository, ref, folder: '' })
  expect(readGitAddress(writtenAddress(read))).toEqual(read)
})

test.for([
  [`https://${HOST}/o/r/tree/main/skills/x`, `https://${HOST}/o/r`, 'main', 'skills/x'],
  [`https://${HOST}/o/r/tree/feature/x/skills/a%20b/`, `https://${HOST}/o/r`, 'feature/x', 'skills/a b'],
  [`https://${HOST}/o/r/blob/v1/skills/x/SKILL.md`, `https://${HOST}/o/r`, 'v1', 'skills/x'],
  [`https://${HOST}/group/sub/r/-/tree/main/x`, `https://${HOST}/group/sub/r`, 'main', 'x'],
  [`https://${HOST}/o/r/src/branch/main/x`, `https://${HOST}/o/r`, 'main', 'x'],
  [`https://${HOST}/o/r/tree/0123abc/x`, `https://${HOST}/o/r`, '0123abc', 'x'],
  [`https://${HOST}/o/r/tree/main`, `https://${HOST}/o/r`, 'main', ''],
] as const)('%s is a folder of one', ([given, repository, ref, folder]) => {
  expect(parted(readGitAddress(given), ['main', 'feature', 'feature/x', 'v1'])).toEqual({
    repository,
    ref,
    folder,
  })
})

test.for([
  '',
  '--upload-pack=touch x',
  '-oProxyCommand=x',
  'ext::sh -c id',
  'ext::sh',
  'EXT::sh',
  'fd::17',
  'transport::https://forge.example/a/b',
  'file:///etc',
  '/etc',
  '../repo',
  'repo',
  'http://forge.example/a/b',
  'git://forge.example/a/b',
  'ftp://forge.example/a/b',
  'https://user:secret@forge.example/a/b',
  'https://token@forge.example/a/b',
  'ssh://-oProxyCommand=x/a',
  'ssh://-oProxyCommand=x@forge.example/a',
  'git@forge.example:-oProxyCommand=x',
  'git@-forge:x y',
  'https://forge.example/a/b\n--upload-pack=x',
  'https://forge.example/',
  'https://forge.example/a/--upload-pack=x',
  `https://${'a'.repeat(3_000)}/b`,
])('%s is refused in a sentence', given => {
  expect(() => readGitAddress(given)).toThrow(Fault)
  expect(() => readGitAddress(given)).toThrow(/That is no address that skills can be fetched from\. \S/)
})

test.for(['-x', '--upload-pack=x', 'a..b', 'a b', 'a:b', 'a~1', 'x^', '@{-1}', '/x', 'x/', 'x.lock', 'a\0'])(
  'the branch %s is refused',
  ref => {
    for (const read of [
      () => readGitAddress('https://forge.example/a/b', ref),
      () => readGitAddress(`git@forge.example:a/b#${ref}`),
    ])
      expect(read).toThrow(Fault)
  },
)
