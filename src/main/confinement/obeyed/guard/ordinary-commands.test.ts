import { spawnSync } from 'node:child_process'
import {
  cpSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { afterAll, beforeAll, expect } from 'vitest'
import { confinedTest } from '../../../../../testing/confinement/can-confine.ts'
import { aFolderToConfine } from '../../../../../testing/confinement/folder-to-confine.ts'
import { runConfined, runPrepared } from '../../../../../testing/confinement/run-confined.ts'
import { openConfinement, type Confiner } from '../../open-confinement.ts'
import type { Confinement } from '../../profile.ts'

let base: string
let confiner: Confiner

const put = (path: string, text: string) => {
  mkdirSync(dirname(join(base, path)), { recursive: true })
  writeFileSync(join(base, path), text)
}
const AS_ADA = '-c user.name=Ada -c user.email=ada@example.org'
const shell = (command: string, cwd: string) => {
  const { status, stderr } = spawnSync('/bin/bash', ['-c', command], { cwd, encoding: 'utf8' })
  return { status, stderr }
}
const must = (command: string, cwd: string) => expect(shell(command, cwd)).toEqual({ status: 0, stderr: '' })

/** Create a typical repository and its clone, a plain repository, an app folder and an archive. */
beforeAll(() => {
  base = aFolderToConfine()
  confiner = openConfinement({ home: join(base, 'home'), readable: () => [] })
  put('plain/src/a.txt', 'a\n')
  put('model/src/a.txt', 'a\n')
  put('model/AGENTS.md', 'Be kind.\n')
  put('model/pkg/CLAUDE.md', 'Be brief.\n')
  put('model/.vscode/settings.json', '{}\n')
  put('model/.gitignore', '.env*\nnode_modules\n')
  put('model/.gitattributes', '* text=auto\n')
  put('model/package.json', '{"scripts":{"test":"true"}}\n')
  put('model/Makefile', 'all:\n\techo made > made.txt\n')
  for (const name of ['plain', 'model'])
    must(`git init -qb main && git add -A && git ${AS_ADA} commit -qm one`, join(base, name))
  const model = join(base, 'model')
  must(
    `git checkout -qb text && echo b >> src/a.txt && git ${AS_ADA} commit -qam text && git checkout -q main`,
    model,
  )
  must(
    `git checkout -qb rules && echo Rules. >> AGENTS.md && git ${AS_ADA} commit -qam rules && git checkout -q main`,
    model,
  )
  must(
    `git checkout -qb tools && mkdir .cursor && echo x > .cursor/a.md && git add -A && git ${AS_ADA} commit -qm tools && git checkout -q main`,
    model,
  )
  must(
    `cd .. && git clone -q model work && cd work && git branch -q text origin/text && git branch -q tools origin/tools && git branch -q rules origin/rules`,
    model,
  )
  must(
    `git config branch.autoSetupMerge false; echo more >> src/a.txt; git ${AS_ADA} commit -qam more`,
    model,
  )
  put('work/.env', 'KEY=1\n')
  put('work/.envrc', 'use node\n')
  put('app/package.json', '{"scripts":{"dev":"vite"}}\n')
  put('app/.vscode/extensions.json', '{}\n')
  put('app/src/main.js', '\n')
  must('mkdir t && echo x > t/x.txt && tar -cf archive.tar t && rm -r t', base)
  put(
    'install.sh',
    'mkdir -p node_modules/.bin node_modules/a && echo x > node_modules/a/cli.js && ln -sf ../a/cli.js node_modules/.bin/a && echo lock > package-lock.json\n',
  )
  put(
    'husky.sh',
    'set -e; sh ../install.sh; mkdir -p .husky/_ && echo x > .husky/_/h && git config core.hooksPath .husky/_\n',
  )
  put('change.patch', '--- a/src/a.txt\n+++ b/src/a.txt\n@@ -1 +1,2 @@\n a\n+patched\n')
})
afterAll(() => rmSync(base, { recursive: true, force: true }))

/** List all files and links of a folder, without git's internal files. */
function listAll(folder: string): string[] {
  const found: string[] = []
  const walk = (at: string) => {
    for (const name of readdirSync(at).toSorted()) {
      const path = join(at, name)
      const inside = relative(folder, path)
      const stats = lstatSync(path)
      if (/(^|\/)\.git\/(objects|logs|index|ORIG_HEAD|COMMIT_EDITMSG)/.test(inside)) continue
      found.push(stats.isDirectory() ? `${inside}/` : inside)
      if (stats.isDirectory()) walk(path)
    }
  }
  walk(folder)
  return found
}

const WITH = (obeyed: 'nothing' | 'all'): Confinement => ({ profile: 'work', network: false, obeyed })

/** Run a command as a chat does. The user allows what was put aside, or a new run if writing was blocked. */
async function runAsChat(command: string, folder: string) {
  let questions = 0
  let ended = await runConfined(confiner, command, WITH('nothing'), { folder })
  const watching = confiner.guards.guardFolder([folder], { sessionId: 's', access: WITH('nothing') })
  const blocked = ended.code === 0 ? [] : watching.namedIn(ended.output)
  watching.end()
  if (blocked.length > 0) {
    questions++
    ended = await runConfined(confiner, command, WITH('all'), { folder })
  } else if (ended.report!.aside.length > 0) {
    questions++
    for (const item of ended.report!.aside) expect(item.place(), item.name).toBeUndefined()
  }
  return { code: ended.code, questions, output: ended.output }
}

const AT_ONCE = [
  'git status --short',
  'git clone -q ../plain copy',
  'git checkout -q text',
  'git checkout -qb mine',
  'git fetch -q',
  'git merge -q text',
  `git ${AS_ADA} pull -q --no-rebase`,
  `echo x > src/b.txt && git add -A && git ${AS_ADA} commit -qm b`,
  `echo x >> src/a.txt && git ${AS_ADA} stash -q && git stash pop -q`,
  `git ${AS_ADA} tag v1 -m one`,
  'git mv src/a.txt src/c.txt',
  'git rm -q src/a.txt',
  'git init -q sub',
  'sed -i s/a/b/ src/a.txt',
  'mkdir -p deep/er && touch deep/er/file',
  'tar -xf ../archive.tar',
  'mv src lib',
  'mv pkg parcel',
  'cp -r src lib',
  'chmod +x src/a.txt && ln -s a.txt src/b',
  'rm -rf src',
  'make -s',
  'patch -sp1 < ../change.patch',
  'sh ../install.sh',
  "echo '*.png binary' >> .gitattributes",
  'echo dist >> .gitignore',
  `echo '{"scripts":{"test":"false"}}' > package.json`,
  'mkdir -p .github/workflows && echo x > .github/workflows/ci.yml',
]
const AFTER_A_QUESTION = [
  'git clone -q ../model copy',
  'git worktree add -q wt text',
  'git checkout -q tools',
  'cp -r ../app app',
  'sh ../husky.sh',
  'echo Be quick. >> AGENTS.md',
  'echo {} > .vscode/tasks.json',
  'rm -rf pkg',
  'git config user.name Ada',
]

const cases = [
  ...AT_ONCE.map(command => [command, 0] as const),
  ...AFTER_A_QUESTION.map(command => [command, 1] as const),
]
for (const [command, questions] of cases)
  confinedTest(`${questions === 0 ? 'works at once' : 'works after one question'}: ${command}`, async () => {
    const [folder, bare] = [join(base, 'chat'), join(base, 'bare')]
    for (const each of [folder, bare]) {
      rmSync(each, { recursive: true, force: true })
      cpSync(join(base, 'work'), each, { recursive: true, verbatimSymlinks: true })
      must('git status > /dev/null', each)
    }
    expect(shell(command, bare).status).toBe(0)
    const ran = await runAsChat(command, folder)
    expect(ran).toMatchObject({ code: 0, questions })
    expect(listAll(folder)).toEqual(listAll(bare))
  })

confinedTest('what git cannot write of another branch is said, and comes with one question', async () => {
  const folder = join(base, 'chat')
  rmSync(folder, { recursive: true, force: true })
  cpSync(join(base, 'work'), folder, { recursive: true, verbatimSymlinks: true })
  // git reports success, but leaves the file unchanged.
  const first = await runAsChat('git checkout -q rules', folder)
  expect(first).toMatchObject({ code: 0, questions: 0 })
  expect(first.output).toContain("unable to unlink old 'AGENTS.md'")
  expect(await runAsChat('git checkout -qf rules', folder)).toMatchObject({ code: 0, questions: 1 })
  expect(readFileSync(join(folder, 'AGENTS.md'), 'utf8')).toContain('Rules.')
})

confinedTest('a file that vanishes before its mask is there is not made again', async () => {
  const folder = join(base, 'vanishing')
  put('vanishing/a/.env', 'KEY=1')
  put('vanishing/.envrc', 'x')
  let isFirst = true
  await runPrepared(async () => {
    const start = await confiner.prepare(['/bin/bash', '-c', 'true'], WITH('nothing'), {
      folder,
      cwd: folder,
      sessionId: 's',
    })
    if (isFirst) {
      unlinkSync(join(folder, '.envrc'))
      rmSync(join(folder, 'a'), { recursive: true })
      isFirst = false
    }
    return start
  })
  expect(readdirSync(folder)).toEqual([])
})
