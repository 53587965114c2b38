import { test } from '../../../../testing/terminal/cli.ts'

const NOW = ['--now', '2026-11-24T10:00:00+01:00', '--zone', 'Europe/Berlin']

test('a schedule is read from words, with its next times and the task', async ({ talaria, expect }) => {
  const parse = (...args: string[]) => talaria.run(['schedule', 'parse', ...args, ...NOW])
  const { code, stdout } = await parse('every weekday at 8 summarise my notes')
  expect({ code, stdout }).toEqual({
    code: 0,
    stdout: `Repeatedly, in Europe/Berlin. The next times:
  Wednesday, 25 November 2026 at 08:00
  Thursday, 26 November 2026 at 08:00
  Friday, 27 November 2026 at 08:00
Task: summarise my notes
`,
  })
  expect(JSON.parse((await parse('in', '20', 'minutes', '--json')).stdout)).toMatchObject({
    kind: 'once',
    next: ['2026-11-24T09:20:00.000Z'],
  })
  expect(await parse('next Friday at 9')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('Not planned: '),
  })
  expect(await talaria.run(['schedule', 'parse', 'at 8', '--now', 'noon'])).toMatchObject({ code: 2 })
})

test('a time zone without a name gets one, which is said', async ({ talaria, expect }) => {
  const home = talaria.folder()
  const env = { TZ: ':/usr/share/zoneinfo/Europe/Zurich' }
  const parsed = await talaria.start(['schedule', 'parse', '0 9 * * * tidy up'], { env }).ended
  expect(parsed.code).toBe(0)
  expect(parsed.stdout).toMatch(/^Repeatedly, in Europe\/Zurich\./)
  expect(parsed.stderr).toContain('has no name; Europe/Zurich is used.')
  const folder = talaria.folder()
  const added = await talaria.run(
    ['schedule', 'add', '0 9 * * * tidy up', '--folder', folder, '--home', home, '--json'],
    { env },
  )
  expect(JSON.parse(added.stdout)).toMatchObject({ zone: 'Europe/Zurich' })
})
