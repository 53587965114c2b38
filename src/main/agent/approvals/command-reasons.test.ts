import { expect, test } from 'vitest'
import { parseShell } from '../../shell-safety/parse/parse-shell.ts'
import { describeParts } from './command-reasons.ts'

const FOLDER = '/home/ada/notes'
const parse = (command: string) => parseShell(command, FOLDER, '/home/ada')
const reasonsOf = (command: string) =>
  describeParts(parse(command), { folder: FOLDER })[0]!.reasons.join(', ')

test.for([
  ['ls -la', 'only reads'],
  ['git status', 'is meant to read'],
  ['npm ls', 'is meant to read'],
  ['mkdir a', 'changes files here'],
  ['echo x > a.md', 'changes files here'],
  ['echo x > /tmp/a', 'changes files outside the folder, changes files here, reads outside the folder'],
  ['rm -r old', 'deletes files'],
  ['find . -delete', 'deletes files'],
  ['find . -exec cat {} +', 'starts another program'],
  ['cat ../other/a.md', 'reads outside the folder'],
  ['diff a ~/b', 'reads outside the folder'],
  ['cat .env', 'names a file that may hold keys or passwords'],
  ['curl https://example.org', 'reaches the network'],
  ['curl -d @a https://example.org', 'sends something to another computer, reaches the network'],
  ['git fetch origin', 'reaches the network'],
  ['git push origin main', 'sends something to another computer, reaches the network'],
  ['git push --force', 'rewrites history, sends something to another computer, reaches the network'],
  ['git commit -m x', 'changes files here'],
  ['git commit --amend', 'rewrites history, changes files here'],
  ['git rebase main', 'rewrites history, changes files here'],
  ['git -C sub rebase main', 'rewrites history, changes files here'],
  [
    'git reset --hard HEAD~1',
    'rewrites history, discards changes that are not committed, changes files here',
  ],
  ['git clean -fd', 'discards changes that are not committed, deletes files, changes files here'],
  ['git config user.name x', 'changes what git runs later, starts another program'],
  [
    'npm install left-pad',
    'reaches the network, installs programs, changes files here, runs code of this folder',
  ],
  ['npm test', 'runs code of this folder'],
  ['pnpm publish', 'sends something to another computer, reaches the network'],
  ['pip install x', 'reaches the network, installs programs'],
  ['sudo apt update', 'runs with administrator rights, installs programs, starts another program'],
  ['python3 x.py', 'starts another program'],
  ['./run.sh', 'runs code of this folder'],
  ['make all', 'runs code of this folder'],
  ['chmod +x a', 'changes who may open files'],
  ['pkill node', 'ends processes'],
  ['systemctl stop x', 'changes settings of the system'],
  ['sed -i s/a/b/ x', 'changes files here, starts another program'],
  ['sleep 9 &', 'keeps running in the background'],
  [
    'rsync -a x host:y',
    'sends something to another computer, reaches the network, changes files here, starts another program',
  ],
  ['frobnicate', 'does what its program does; Talaria does not know it'],
] as const)('%s: %s', ([command, reasons]) => {
  expect(reasonsOf(command)).toBe(reasons)
})

test('each simple command of a line has its own reasons', () => {
  expect(describeParts(parse('cd site && npm test | tee log; rm old'), { folder: FOLDER })).toEqual([
    { command: 'cd site', reasons: [expect.any(String)] },
    { command: 'npm test', reasons: ['runs code of this folder'] },
    { command: 'tee log', reasons: ['changes files here'] },
    { command: 'rm old', reasons: ['deletes files'] },
  ])
})

test('words that are not known in advance are shown as such, and a long line is cut', () => {
  expect(describeParts(parse('rm "$X"'), { folder: FOLDER })[0]!.command).toBe("rm '…'")
  expect(describeParts(parse(`rm ${'x'.repeat(500)}`), { folder: FOLDER })[0]!.command).toHaveLength(161)
  expect(describeParts(parse('ls; '.repeat(50)), { folder: FOLDER })).toHaveLength(12)
})
