import { describe } from 'vitest'
import { test } from '../../../../testing/terminal/cli.ts'

describe('talaria chat --temporary', () => {
  test('answers, and leaves no chat and no word of it when the command ends', async ({ talaria, expect }) => {
    const { home, model } = await talaria.openHome()
    model.reply({ text: 'A quagmire.' }, { text: 'Kept.' })
    const chat = (...more: string[]) => talaria.run(['chat', '--home', home, '-q', ...more])
    const { code, stdout } = await chat('Say a word.', '--temporary')
    expect([code, stdout]).toEqual([0, 'A quagmire.\n'])
    await chat('Say another.')
    const { stdout: listed } = await talaria.run(['chats', 'list', '--json', '--home', home])
    expect(JSON.parse(listed).chats.map(({ title }: { title: string }) => title)).toEqual(['Say another.'])
    const deleted = await talaria.run(['chats', 'deleted', '--json', '--home', home])
    expect(JSON.parse(deleted.stdout).chats).toEqual([])
    const found = await talaria.run(['search', 'quagmire', '--home', home])
    expect(found.stdout).not.toContain('Say a word')
  })

  test.for([
    ['--session', 'abc'],
    ['--project', 'shop'],
  ])('is refused with %s', async ([option, value], { talaria, expect }) => {
    const home = talaria.folder()
    const given = ['chat', '--home', home, '-q', 'hi', '--temporary', option!, value!]
    const { code, stderr } = await talaria.run(given)
    expect([code, stderr]).toEqual([2, expect.stringContaining('Leave out --session and --project')])
  })

  test('says in a terminal what it is, and lists the chat as temporary while it is open', async ({
    talaria,
    expect,
  }) => {
    const { home, cwd, model } = await talaria.openHome()
    model.reply({ text: 'Here.' })
    const cli = talaria.startOnTerminal(['chat', '--temporary', '--home', home, '--cwd', cwd])
    await cli.shows('Temporary')
    await cli.shows('›')
    cli.types('hello\r')
    await cli.shows('Here.')
    const list = async () => (await talaria.run(['chats', 'list', '--home', home])).stdout
    expect(await list()).toContain('temporary')
    cli.types('\u0004')
    expect((await cli.ended).code).toBe(0)
    expect(await list()).not.toContain('temporary')
  })
})
