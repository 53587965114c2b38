import { copyFileSync, existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe } from 'vitest'
import { randomModel } from '../../../../testing/gguf/cached.ts'
import { startFileServer } from '../../../../testing/servers/file-server.ts'
import { test } from '../../../../testing/terminal/cli.ts'

const TINY = randomModel({ preset: 'tiny' })

function aModelAt(...path: string[]): string {
  const file = join(...path)
  mkdirSync(dirname(file), { recursive: true })
  copyFileSync(TINY, file)
  return file
}

/** A local server with one model. */
async function servedModel() {
  const files = await startFileServer()
  files.put('/tiny.gguf', readFileSync(TINY))
  return {
    files,
    address: `${files.origin}/tiny.gguf`,
    [Symbol.asyncDispose]: () => files.close(),
  }
}

describe.concurrent('models', () => {
  test('a file is inspected, used in place, made the default and removed from the list', async ({
    talaria,
    expect,
  }) => {
    const home = talaria.folder()
    const stick = talaria.folder()
    const path = aModelAt(stick, 'tiny.gguf')
    const run = (...args: string[]) => talaria.run(['models', ...args, '--home', home], { cwd: stick })

    const fit = await run('fit', 'tiny.gguf', '--context', '512')
    expect([fit.code, fit.stdout]).toEqual([0, expect.stringMatching(/^tiny fits .* 512 tokens\.\n/)])
    await talaria.open(home)
    const added = await run('add', 'tiny.gguf')
    expect([added.code, added.stdout]).toEqual([0, `Added: tiny  file:${path}\n`])
    expect((await run('default', 'TINY')).stdout).toBe('New chats use tiny.\n')
    const { stdout: list } = await run('list')
    expect(list).toMatch(/^ {2}Built-in demo model {2}builtin\n/)
    expect(list).toContain(
      `* tiny  file:${path}\n    2.1 MB · F16 · llama · tools: Hermes JSON · context 8,192 · `,
    )
    const removed = await run('remove', 'tiny')
    expect([removed.code, removed.stdout]).toEqual([0, 'tiny is removed from the list; its file stays.\n'])
    const { stdout: json } = await run('list', '--json')
    expect(JSON.parse(json)).toMatchObject({ defaultId: 'builtin', models: [{ id: 'builtin' }] })
    expect(existsSync(path)).toBe(true)
  })

  test('the tools of a model are tested, and the list says what came of it; `doctor model` adds to it', async ({
    talaria,
    expect,
  }) => {
    const home = talaria.folder({ 'config.yaml': 'engine:\n  threads: 1\n' })
    const path = join(home, 'models', 'random.gguf')
    mkdirSync(dirname(path), { recursive: true })
    copyFileSync(randomModel(), path)
    const run = (...args: string[]) => talaria.run([...args, '--home', home])
    await talaria.open(home)
    const list = async () => (await run('models', 'list')).stdout
    expect(await list()).toContain('    Made for tools, not tested yet.\n')
    const tested = await run('models', 'test', 'random')
    expect([tested.code, tested.stdout]).toEqual([
      0,
      expect.stringMatching(/^Works with help: it called nothing/),
    ])
    expect(tested.stderr).toContain('Asking for a call of list_files, 2 of 3…\n  list_files: begun for it\n')
    expect(await list()).toMatch(/Tools work with help\.\n {4}In a chat this model calls no tools by itself/)
    const unknown = await run('models', 'test', 'builtin')
    expect([unknown.code, unknown.stderr]).toEqual([
      2,
      expect.stringContaining('was tested before its release'),
    ])
    writeFileSync(join(home, 'cache', 'tool-verdicts.json'), 'broken')
    expect(await list()).toContain('    Made for tools, not tested yet.\n')
    expect((await run('doctor', 'model', path, '--threads', '1')).code).toBe(0)
    expect(await list()).toContain('    Tools work with help.\n')
  })

  test('an address is not added as a file: the answer names the command for servers', async ({
    talaria,
    expect,
  }) => {
    const home = talaria.folder()
    const address = 'http://127.0.0.1:8080/v1'
    const { code, stderr } = await talaria.run(['models', 'add', address, '--home', home])
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining(`This is an address. Add a server with: talaria setup --server ${address}`),
    ])
  })

  test('a base model is named as one where it is added, listed and first asked', async ({
    talaria,
    expect,
  }) => {
    // Random weights write until their context is full.
    const home = talaria.folder({ 'config.yaml': 'engine:\n  context_tokens: 512\n' })
    const path = join(home, 'plain.gguf')
    copyFileSync(randomModel({ preset: 'tiny', template: 'none' }), path)
    await talaria.open(home)
    const says = /looks like a base model: it continues texts and does not answer/
    const added = await talaria.run(['models', 'add', path, '--home', home])
    expect([added.code, added.stdout]).toEqual([0, `Added: plain  file:${path}\n`])
    expect(added.stderr).toMatch(says)
    const { stdout: list } = await talaria.run(['models', 'list', '--home', home])
    expect(list.match(new RegExp(says, 'g'))).toHaveLength(1)
    const log = () => readFileSync(join(home, 'logs', 'talaria.log'), 'utf8')
    const ask = (...more: string[]) =>
      talaria.run(['chat', '-q', 'hi', '--model', path, '--approve', 'none', '--home', home, ...more])
    expect((await ask()).stderr).toMatch(says)
    expect(log()).not.toMatch(/"level":"error".*chat template/)
    const { stdout: chats } = await talaria.run(['chats', 'list', '--json', '--home', home])
    const id: string = JSON.parse(chats).chats[0].id
    expect((await talaria.run(['chat', '-q', 'again', '--session', id, '--home', home])).stderr).not.toMatch(
      says,
    )
  })

  test('a folder is copied into Talaria’s own, and its file is deleted only after confirmation', async ({
    talaria,
    expect,
  }) => {
    const home = talaria.folder()
    const stick = talaria.folder()
    aModelAt(stick, 'maker', 'tiny.gguf')
    writeFileSync(join(stick, 'notes.gguf'), 'Dear diary, today I saw a model.')
    const run = (...args: string[]) => talaria.run(['models', ...args, '--home', home], { cwd: stick })
    const own = join(home, 'models', 'tiny.gguf')

    const added = await run('add', stick, '--copy')
    await talaria.open(home)
    expect([added.code, added.stdout]).toEqual([0, expect.stringMatching(/^tiny\S* is ready: file:/)])
    expect(existsSync(own)).toBe(true)
    expect(added.stderr).toMatch(/^Skipped: .*notes\.gguf/m)
    expect(added.stderr.match(/notes\.gguf/g)).toHaveLength(1)
    expect((await run('add', stick, '--copy')).stdout).toBe(
      'tiny is already in the list: file:models/tiny.gguf\n',
    )
    const unasked = await run('remove', 'tiny')
    expect([unasked.code, unasked.stderr]).toEqual([2, expect.stringContaining('Add --yes')])
    expect((await run('remove', 'tiny', '--yes')).stdout).toBe('tiny is deleted.\n')
    expect(readdirSync(join(home, 'models')).filter(name => name.endsWith('.gguf'))).toEqual([])
  })

  test('a download is followed to its end; after a refusal or Ctrl-C the same command resumes it', async ({
    talaria,
    expect,
  }) => {
    const home = talaria.folder()
    await using server = await servedModel()
    const command = ['models', 'download', server.address, '--home', home]
    server.files.replies.set('/tiny.gguf', [{ status: 404 }, { holdAfter: 1_000_000 }])
    const refused = await talaria.run(command)
    expect([refused.code, refused.stdout]).toEqual([1, ''])
    expect(refused.stderr).toContain('127.0.0.1')

    const paused = talaria.start([...command, '--json'])
    await paused.shows('"doneBytes":1000000')
    paused.child.kill('SIGINT')
    const { code, stderr } = await paused.ended
    expect([code, stderr]).toEqual([1, 'Paused. Run the same command again to resume.\n'])

    const done = await talaria.run(command)
    expect([done.code, done.stdout]).toEqual([
      0,
      expect.stringMatching(/^tiny\S* is ready: file:.*tiny\.gguf\n$/),
    ])
    expect(server.files.requests.at(-1)?.range).toBe('bytes=1000000-')
  })

  test('unfinished downloads are listed with their size and reason, continued and removed', async ({
    talaria,
    expect,
  }) => {
    const home = talaria.folder()
    await using server = await servedModel()
    const run = (...args: string[]) => talaria.run(['models', ...args, '--home', home])
    const stop = async () => {
      server.files.replies.set('/tiny.gguf', [{ holdAfter: 1_000_000 }])
      const paused = talaria.start(['models', 'download', server.address, '--json', '--home', home])
      await paused.shows('"doneBytes":1000000')
      paused.child.kill('SIGINT')
      await paused.ended
    }
    await talaria.open(home)
    expect((await run('downloads')).stdout).toBe('No unfinished downloads.\n')
    await stop()
    const says = /Unfinished downloads:\n {2}tiny\.gguf {2}transfer_\w+\n {4}paused · 1 MB of 2\.1 MB · http/
    for (const command of ['list', 'downloads']) expect((await run(command)).stdout).toMatch(says)
    const json = JSON.parse((await run('list', '--json')).stdout)
    expect(json.downloads).toMatchObject([{ name: 'tiny.gguf', state: 'paused', doneBytes: 1_000_000 }])
    const resumed = await run('resume', 'tiny')
    expect([resumed.code, resumed.stdout]).toEqual([0, expect.stringMatching(/^tiny\S* is ready: file:/)])
    expect(server.files.requests.at(-1)?.range).toBe('bytes=1000000-')

    const known = await run('download', `${server.address}?download=true`)
    expect([known.code, known.stdout]).toEqual([
      0,
      expect.stringContaining('is on this computer already: file:'),
    ])
    expect(known.stderr).toContain('--again')
    expect((await run('download', server.address, '--again')).stdout).toContain('tiny-2.gguf is ready')

    server.files.put('/other.gguf', readFileSync(randomModel()))
    server.files.replies.set('/other.gguf', [{ cutAfter: 1_000_000 }, { status: 404 }])
    const failed = await run('download', server.address.replace('tiny', 'other'))
    expect([failed.code, failed.stderr]).toEqual([1, expect.stringContaining('no longer has a file')])
    expect((await run('downloads')).stdout).toMatch(
      /stopped · .* [kM]B of 2\.1 MB .*\n {4}.* no longer has a file at this address\. Start it again/,
    )
    const removed = await run('remove', 'other.gguf')
    expect([removed.code, removed.stdout]).toEqual([
      0,
      expect.stringMatching(/^The download of other\.gguf is removed/),
    ])
    expect(readdirSync(join(home, 'models')).filter(name => name.endsWith('.part'))).toEqual([])
    expect((await run('resume', 'other')).stderr).toContain('No unfinished download is called other.')
  })

  test('invalid arguments are explained: code 2', async ({ talaria, expect }) => {
    const home = talaria.folder()
    await talaria.open(home)
    for (const [args, sentence] of [
      [['add', 'nowhere.gguf'], 'There is nothing at'],
      [['remove', 'nobody'], 'No model is called nobody.'],
      [['remove', 'builtin'], 'The built-in model belongs to Talaria and stays.'],
      [['fit', 'builtin', '--context', '7'], 'Enter a whole number from 512'],
      [['download', 'no-such-model'], 'The catalogue has no no-such-model. It has: '],
      [['download', 'http://127.0.0.1/x.gguf', '--sha256', 'abc'], '64 hexadecimal digits.'],
      [['download', 'http://127.0.0.1/x.gguf', '--sha256', `md5:${'a'.repeat(32)}`], 'another kind (md5)'],
      [['resume', 'nobody'], 'No unfinished download is called nobody.'],
    ] as const) {
      const { code, stdout, stderr } = await talaria.run(['models', ...args, '--home', home])
      expect([args, code, stdout]).toEqual([args, 2, ''])
      expect(stderr).toContain(sentence)
      expect(stderr).not.toMatch(/\n\s+at /)
    }
  })
})
