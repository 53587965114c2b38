import { test } from '../../../../testing/terminal/cli.ts'

test('a schedule is added, shown, paused, resumed, run, looked up and removed', async ({
  talaria,
  expect,
}) => {
  const { home, cwd, model } = await talaria.openHome()
  const run = (...args: string[]) => talaria.run(['schedule', ...args, '--home', home], { cwd })
  expect(await run('list')).toMatchObject({ code: 0, stdout: expect.stringContaining('No schedules.') })
  expect(await run('add', 'every day', 'sing')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('time'),
  })

  const added = await run('add', 'every weekday at 8 sing a song', '--name', 'Song', '--run-tokens', '9000')
  expect(added).toMatchObject({ code: 0, stdout: expect.stringContaining('Task    sing a song') })
  expect((await run('list')).stdout).toMatch(/Song · .*next /)
  expect((await run('pause', 'Song')).stdout).toContain('Paused: Song')
  expect((await run('show', 'song')).stdout).toContain('Paused  You paused it.')
  expect((await run('resume', 'Song')).stdout).toContain('Resumed: Song')

  model.reply({ text: 'La la la.' })
  const ran = await run('run', 'Song')
  expect(ran).toMatchObject({ code: 0, stdout: expect.stringContaining('La la la.') })
  expect((await run('history', 'Song')).stdout).toContain('by hand: answered without looking at anything')
  const chats = (await talaria.run(['chats', 'list', '--json', '--home', home])).stdout
  expect(chats).toMatch(/"origin":"schedule"/)

  expect((await run('remove', 'Song')).stdout).toContain('Deleted: Song')
  expect(await run('show', 'Song')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('There is no schedule “Song”.'),
  })
})

test('/schedule in a chat makes one without asking the model', async ({ talaria, expect }) => {
  const { home, model } = await talaria.openHome()
  const cli = talaria.startOnTerminal(['chat', '--home', home])
  await cli.shows('›')
  cli.types('/schedule every Friday at 17 write the report\r')
  await cli.shows('Task    write the report')
  await cli.shows('›')
  cli.types('/schedule every day\r')
  await cli.shows('time')
  await cli.shows('›')
  cli.types('/schedule\r')
  await cli.shows('Write the report')
  await cli.shows('›')
  cli.types('/exit\r')
  expect((await cli.ended).code).toBe(0)
  expect(model.chats()).toEqual([])
})

test('serve answers on this computer until it is ended, and a terminal uses it', async ({
  talaria,
  expect,
}) => {
  const { home } = await talaria.servedHome()
  const server = talaria.start(['serve', '--home', home])
  await server.shows('http://127.0.0.1:')
  const listed = await talaria.run(['schedule', 'list', '--home', home])
  expect(listed).toMatchObject({ code: 0, stdout: expect.stringContaining('No schedules.') })
  server.child.kill('SIGTERM')
  expect((await server.ended).code).toBe(0)
  expect(await talaria.run(['serve', '--port', 'often', '--home', home])).toMatchObject({ code: 2 })
})
