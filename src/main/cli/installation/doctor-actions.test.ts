import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe } from 'vitest'
import { scriptedModel } from '../../../../testing/gguf/cached.ts'
import { resourcePath } from '../../lib/disk/shipped-files.ts'
import { manyWords, test } from '../../../../testing/terminal/cli.ts'

const demo = resourcePath('models/talaria-mini.gguf')

describe.concurrent('doctor model', () => {
  test('says what a model is good for, ends with code 0 and creates no home folder', async ({
    talaria,
    expect,
  }) => {
    const home = talaria.folder()
    const env = { HOME: home, TALARIA_HOME: join(home, 'talaria') }
    const { code, stdout, stderr } = await talaria.run(['doctor', 'model', demo, '--threads', '1'], { env })
    expect([code, stderr, readdirSync(home)]).toEqual([0, '', []])
    const labels = stdout.split('\n').map(line => line.slice(0, 10).trimEnd())
    expect(labels.filter(label => label !== '').slice(0, -1)).toEqual(
      'Model File Trained Template Format Memory Loaded Call Call Call Speed'.split(' '),
    )
    expect(stdout).toContain('terminal    by itself: terminal {"command":"date"}')
    expect(stdout.trimEnd().split('\n').at(-1)).toMatch(/^Works: /)
  })

  test('--json prints one object and nothing else', async ({ talaria, expect }) => {
    const args = ['doctor', 'model', demo, '--json', '--context', '512', '--threads', '1']
    const { code, stdout, stderr } = await talaria.run(args)
    expect([code, stderr, stdout.trimEnd().split('\n').length]).toEqual([0, '', 1])
    expect(JSON.parse(stdout)).toMatchObject({
      file: { path: demo, trainedTokens: 2_048 },
      loading: { contextTokens: 512 },
      calls: [{ how: 'by itself' }, { how: 'by itself' }, { how: 'by itself' }],
      verdict: { ok: true },
    })
  })

  test('a file that is not a model: code 1 with the reason and the path relative to the current folder', async ({
    talaria,
    expect,
  }) => {
    const folder = talaria.folder()
    writeFileSync(join(folder, 'page.gguf'), '<!doctype html><title>Sign in</title>')
    const refused = await talaria.run(['doctor', 'model', 'page.gguf'], { env: { INIT_CWD: folder } })
    expect(refused).toEqual({
      code: 1,
      stdout: `Cannot be used: ${join(folder, 'page.gguf')} is not a GGUF model file.\nChoose a file that ends in .gguf.\n`,
      stderr: '',
    })
    const missing = await talaria.run(['doctor', 'model', join(folder, 'none.gguf'), '--json'])
    expect([missing.code, JSON.parse(missing.stdout)]).toMatchObject([
      1,
      { calls: [], verdict: { ok: false, text: expect.stringContaining('no model file at') } },
    ])
  })

  test.skipIf(process.platform === 'win32')(
    'Ctrl-C ends it and its engine: code 1',
    async ({ talaria, expect }) => {
      const cli = talaria.start(['doctor', 'model', scriptedModel({ reply: manyWords })])
      await cli.shows('Loaded')
      process.kill(-cli.child.pid!, 'SIGINT')
      const { code, stderr } = await cli.ended
      expect([code, stderr]).toEqual([1, 'Stopped.\n'])
      // No process of its group is left.
      expect(() => process.kill(-cli.child.pid!, 0)).toThrow('ESRCH')
    },
  )

  test('invalid arguments: code 2', async ({ talaria, expect }) => {
    for (const args of [
      ['modle'],
      ['model'],
      ['model', demo, '--threads', 'many'],
      ['model', demo, '--context', '1'],
      ['model', demo, 'another.gguf'],
    ]) {
      const { code, stdout } = await talaria.run(['doctor', ...args])
      expect([args, code, stdout]).toEqual([args, 2, ''])
    }
  })
})
