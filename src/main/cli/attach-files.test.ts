import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe } from 'vitest'
import { test } from '../../../testing/cli.ts'

describe.concurrent('files that go with a message', () => {
  test('--attach gives the model all of two files, and says of a long one what it gets', async ({
    talaria,
    expect,
  }) => {
    const { home, model, cwd } = await talaria.servedHome()
    writeFileSync(join(cwd, 'a.txt'), 'Apples are 3 euros.')
    writeFileSync(join(cwd, 'long.csv'), 'day;euros\n'.repeat(40_000))
    model.reply({ text: 'Read.' })
    const args = [
      'chat',
      '-q',
      'What do apples cost?',
      '--home',
      home,
      '--attach',
      'a.txt',
      '--attach',
      'long.csv',
    ]
    const { code, stdout, stderr } = await talaria.run(args, { cwd })
    expect([code, stdout]).toEqual([0, 'Read.\n'])
    expect(stderr).toMatch(
      /^long\.csv: the model gets passages of it, because its [\d,]+ tokens are more than the model can take at once\.\n$/,
    )
    const { content } = model.chats()[0]!.body.messages.at(-1) as { content: string }
    expect(content).toContain('\nApples are 3 euros.\n')
    expect(content).toContain('Only parts of it follow')
    expect(content).toMatch(/\n\nWhat do apples cost\?$/)
  })

  test('a file that is missing or a folder is said, nothing is sent, and no empty chat is left', async ({
    talaria,
    expect,
  }) => {
    const { home, model, cwd } = await talaria.servedHome()
    writeFileSync(join(cwd, 'a.txt'), 'Apples.')
    const ask = (...paths: string[]) =>
      talaria.run(['chat', '-q', 'Read.', '--home', home, ...paths.flatMap(path => ['--attach', path])], {
        cwd,
      })
    const gone = await ask('a.txt', 'gone.txt')
    expect([gone.code, gone.stderr]).toEqual([
      2,
      expect.stringContaining('gone.txt cannot be attached: there is no such file'),
    ])
    expect((await ask('.')).stderr).toContain('it is a folder')
    expect(model.chats()).toEqual([])
    expect((await talaria.run(['chats', '--home', home])).stdout).toBe('No chats yet.\n')
  })
})
