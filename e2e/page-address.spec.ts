import { readdirSync, readFileSync } from 'node:fs'
import { composer } from './chat.ts'
import { expect, test } from './app.ts'

test('the address of the window holds no secret and works once', async ({
  app,
  secondWindow,
  hosting,
  browser,
}) => {
  test.skip(hosting === 'desktop', 'the desktop window has no address')
  await test.step('the token stands neither in the address nor in the list of processes, and a reload and a second tab work', async () => {
    await expect(composer(app)).toBeVisible()
    expect(app.url()).not.toMatch(/code=|token=/)
    const token = await app.evaluate(() => localStorage.getItem('talaria.token'))
    expect(token).toMatch(/^[\w-]{43}$/)
    if (process.platform === 'linux') expect(commandLines()).not.toContain(token)
    await app.reload()
    await expect(composer(app)).toBeVisible()
    const other = await secondWindow()
    await expect(composer(other)).toBeVisible()
  })

  await test.step('an address works once: elsewhere the page says how to get another one', async () => {
    await expect(composer(app)).toBeVisible()
    const stranger = await browser.newContext()
    const page = await stranger.newPage()
    await page.goto(app.url())
    await expect(page.getByRole('heading', { name: 'Talaria cannot be reached' })).toBeVisible()
    await expect(page.getByText('talaria address')).toBeVisible()
    await stranger.close()
  })
})

/** The command lines of all processes that this user may see. */
const commandLines = () =>
  readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .map(pid => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
      } catch {
        return ''
      }
    })
    .join('\n')
