import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe } from 'vitest'
import { test } from '../../../../testing/terminal/cli.ts'
import { linePage, makePdf } from '../../../../testing/documents/make-pdf.ts'

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
      /^long\.csv: the model gets only passages of this file, because its [\d,]+ tokens are more than the model can read at once\.\n$/,
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

  test('with -q an @ attaches nothing, because a script may hand on a stranger’s words, and that is said', async ({
    talaria,
    expect,
  }) => {
    const { home, model, cwd } = await talaria.servedHome()
    writeFileSync(join(cwd, 'a.txt'), 'Apples are 3 euros.')
    writeFileSync(join(cwd, 'b.txt'), 'Apples are 3 euros.')
    model.reply({ text: 'Read.' })
    const args = ['chat', '-q', 'What is in @a.txt?', '--home', home]
    const { code, stderr } = await talaria.run(args, { cwd })
    expect([code, stderr]).toEqual([
      0,
      'Not attached: a.txt. With -q, an @ attaches nothing; add --attach a.txt for that.\n',
    ])
    expect(JSON.stringify(model.chats()[0]!.body)).not.toContain('euros')
    const twice = await talaria.run([...args, '--attach', 'a.txt', '--attach', 'b.txt'], { cwd })
    expect(twice.stderr).toContain('b.txt has the same content as a.txt, so it is attached once.')
  })

  test('a locked document says how it can be attached where nobody can be asked', async ({
    talaria,
    expect,
  }) => {
    const { home, model, cwd } = await talaria.servedHome()
    writeFileSync(join(cwd, 'bill.pdf'), makePdf([linePage('The kiln is hot.')], { password: 'kiln' }))
    const args = ['chat', '-q', 'Read.', '--home', home, '--attach', 'bill.pdf']
    const { code, stderr } = await talaria.run(args, { cwd })
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining('In a terminal, Talaria asks for the password'),
    ])
    expect(model.chats()).toEqual([])
  })

  describe.skipIf(process.platform !== 'linux')('on a terminal', () => {
    test('Tab completes @file, which goes with the line; a password is asked for and not shown', async ({
      talaria,
      expect,
    }) => {
      const { home, model, cwd } = await talaria.servedHome()
      writeFileSync(join(cwd, 'apple prices.txt'), 'Apples are 3 euros.')
      writeFileSync(join(cwd, 'bill.pdf'), makePdf([linePage('The kiln is hot.')], { password: 'kiln-1240' }))
      writeFileSync(join(cwd, 'notes.txt'), 'Old notes.')
      const cli = talaria.startOnTerminal(['chat', '--home', home], { cwd })
      await cli.shows('›')
      model.reply({ text: '3 euros.' })
      cli.types('What is in @app\t')
      await cli.shows('@apple\\ prices.txt')
      cli.types(' please\r')
      await cli.shows('Attached apple prices.txt.')
      await cli.shows('3 euros.')
      await cli.shows('›')
      cli.types('/attach bill.pdf\r')
      await cli.shows('Password of bill.pdf (it is not kept):')
      cli.types('wrong\r')
      await cli.shows('Password of bill.pdf (it is not kept):')
      cli.types('kiln-1240\r')
      await cli.shows('Attached. The file is sent with your next message.')
      await cli.shows('›')
      cli.types('/attach notes.txt\r')
      await cli.shows('Attached. The file is sent with your next message.')
      writeFileSync(join(cwd, 'notes.txt'), 'Quite new notes.')
      model.reply({ text: 'Hot.' })
      cli.types('Is it hot?\r')
      await cli.shows('notes.txt has changed on disk. Talaria sends the copy made when you attached it.')
      await cli.shows('Hot.')
      await cli.shows('›')
      cli.types('/exit\r')
      const { code, stdout } = await cli.ended
      expect(code).toBe(0)
      expect(stdout).not.toContain('kiln-1240')
      expect(readFileSync(join(home, 'terminal-history'), 'utf8')).not.toContain('kiln-1240')
      const asked = model.chats().map(({ body }) => body.messages.at(-1).content as string)
      expect(asked[0]).toContain('Apples are 3 euros.')
      expect(asked[0]).toMatch(/\n\nWhat is in apple prices\.txt please$/)
      expect(asked[1]).toContain('The kiln is hot.')
      expect(asked[1]).toContain('Old notes.')
    })
  })
})
