import { composer, lastAnswer, send, transcript } from './chat.ts'
import { newChat } from './memory.ts'
import { expect, test } from './scripted-server.ts'

const html = [
  '<script>document.title = "taken over"</script>',
  '<img src="x" onerror="document.title = \'taken over\'">',
  '<iframe src="https://example.com/"></iframe>',
  '<style>body { display: none }</style>',
  '<form action="https://example.com/"><input name="secret"></form>',
].join('\n\n')
const links = [
  '[press me](javascript:document.title="taken%20over")',
  '[data](data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==)',
  '[file](file:///etc/passwd) [relative](/secret) [good](https://example.com/page)',
  '![spy](https://example.com/pixel.png?who=me)',
].join('\n\n')

test('what a model writes stays text, inside the window', async ({ app, model }) => {
  await test.step('HTML in an answer is text, and nothing in it runs or is fetched', async () => {
    const asked: string[] = []
    app.on('request', request => asked.push(request.url()))
    model.reply({ text: html }, { text: links })
    await send(app, 'Attack me')
    await expect(lastAnswer(app)).toContainText('<script>')
    await send(app, 'And with links')
    await expect(lastAnswer(app)).toContainText('press me')
    await expect(lastAnswer(app)).toContainText('[picture not loaded: spy]')
    await expect(transcript(app).locator('script, iframe, style, form, img')).toHaveCount(0)
    const shown = await transcript(app).getByRole('link').all()
    const addresses = await Promise.all(shown.map(async link => link.getAttribute('href')))
    expect(addresses).toEqual(['https://example.com/page'])
    await transcript(app).getByText('press me').click()
    await expect(app).not.toHaveTitle(/taken over/)
    expect(asked.filter(url => url.includes('example.com'))).toEqual([])
  })

  await test.step('HTML in a title, a result and a denial is shown as text', async () => {
    await newChat(app)
    const tag = '<img src=x onerror="document.title=1">'
    model.reply({ toolCalls: [{ name: 'read_file', arguments: { path: tag } }] }, { text: 'No such file.' })
    await send(app, tag)
    await expect(lastAnswer(app)).toHaveText('No such file.')
    await transcript(app)
      .getByRole('button', { name: /Failed$/ })
      .click()
    await expect(transcript(app)).toContainText(tag)
    await expect(app.locator('img')).toHaveCount(0)
    await expect(app).toHaveTitle(`${tag} – Talaria`)
  })

  await test.step('an answer with unclosed Markdown is shown in full', async () => {
    await newChat(app)
    const nested = `${'> '.repeat(300)}deep\n\n${'- '.repeat(200)}deeper\n\n${'*'.repeat(900)}`
    model.reply({ text: nested }, { text: 'Fine.' })
    await send(app, 'Nest')
    await expect(lastAnswer(app)).toContainText('deeper')
    await send(app, 'Are you well?')
    await expect(lastAnswer(app)).toHaveText('Fine.')
  })

  await test.step('a huge table and endless words stay inside the window', async () => {
    await newChat(app)
    // No two rows are equal and no word repeats itself, because an answer that loops is cut.
    const row = (line: number) =>
      `|${Array.from({ length: 40 }, (_, index) => ` ${line}column${index} `).join('|')}|`
    const rule = row(0).replaceAll(/[^|]+/g, '---')
    const table = [row(0), rule, ...Array.from({ length: 60 }, (_, line) => row(line + 1))].join('\n')
    const word = Array.from({ length: 1_400 }, (_, count) => count).join('')
    model.reply({ text: `${table}\n\n${word}\n\n\`${word}\`\n\n# ${word}\n\n\`\`\`js\n${word}\n\`\`\`\n` })
    for (const width of [1_280, 480]) {
      await app.setViewportSize({ width, height: 820 })
      await send(app, 'Be wide')
      await expect(lastAnswer(app).getByRole('button', { name: 'Copy code' })).toBeAttached()
      const overflow = await app.evaluate('document.documentElement.scrollWidth - innerWidth')
      expect(overflow).toBeLessThanOrEqual(0)
      await expect(composer(app)).toBeInViewport()
    }
  })
})
