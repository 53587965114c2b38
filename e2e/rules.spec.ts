import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { approval, card, lastAnswer, moreAnswer, send } from './chat.ts'
import { callOf, expect, test } from './scripted-server.ts'
import { openSettings, settings } from './settings.ts'

test('rules of the user hold in every chat and mode', { tag: '@story' }, async ({ app, model, folders }) => {
  await test.step('a rule is made on a card, used in another chat, seen and removed in the settings', async () => {
    model.reply(callOf('touch proof'), { text: 'Made.' })
    await send(app, 'Make a file')
    await expect(approval(app).getByRole('list', { name: 'What it does' })).toHaveText('changes files here')
    await moreAnswer(app, 'Allow in this folder')
    await expect(lastAnswer(app)).toHaveText('Made.')
    expect(existsSync(join(folders.workspace, 'proof'))).toBe(true)

    await app.getByRole('button', { name: 'New chat' }).first().click()
    model.reply(callOf('touch proof'), { text: 'Unasked.' })
    await send(app, 'Make it again')
    await expect(lastAnswer(app)).toHaveText('Unasked.')
    await card(app, /^Run touch proof \d/).click()
    await expect(app.getByText(/^Why it ran: allowed by your rule “touch proof” in /)).toBeVisible()

    // The rule allows only these words: with another file, or with more words after them, Talaria asks.
    model.reply(callOf('touch proof; touch more'), { text: 'Not that.' })
    await send(app, 'And another one')
    await expect(approval(app)).toContainText('touch more')
    await approval(app)
      .getByRole('button', { name: /^Deny(?! and)/ })
      .click()
    await expect(lastAnswer(app)).toHaveText('Not that.')
    expect(existsSync(join(folders.workspace, 'more'))).toBe(false)

    await openSettings(app, 'Permissions')
    const rules = settings(app).getByRole('list', { name: 'Your rules' })
    await expect(rules).toContainText('Always allow')
    await expect(rules).toContainText('touch proof')
    await rules.getByRole('button', { name: 'Remove the rule: Always allow touch proof' }).click()
    await expect(settings(app).getByText('No rules yet.')).toBeVisible()

    await app.getByRole('button', { name: 'New chat' }).first().click()
    model.reply(callOf('touch proof'), { text: 'Asked.' })
    await send(app, 'Once more')
    await expect(approval(app)).toContainText('touch proof')
  })

  await test.step('a rule of the user counts with full access too', async () => {
    await openSettings(app, 'Permissions')
    await settings(app).getByRole('button', { name: 'Add a rule…' }).click()
    await settings(app).getByRole('form', { name: 'Add a rule' }).getByText('Never', { exact: true }).click()
    await settings(app).getByRole('textbox', { name: 'Command', exact: true }).fill('touch')
    await settings(app).getByRole('button', { name: 'Add the rule' }).click()
    await expect(settings(app).getByRole('list', { name: 'Your rules' })).toContainText('Never')

    await app.getByRole('button', { name: 'New chat' }).first().click()
    await app.locator('.composer').getByRole('button', { name: 'Permissions: Ask' }).click()
    await app.getByRole('menuitemradio', { name: /^Full access/ }).click()
    model.reply(callOf('mkdir sub && touch sub/proof'), { text: 'I may not.' })
    await send(app, 'Make a file')
    await expect(lastAnswer(app)).toHaveText('I may not.')
    await card(app, /Denied$/).click()
    await expect(app.getByText(/A rule of the user forbids it: “touch”/).first()).toBeVisible()
    expect(existsSync(join(folders.workspace, 'sub'))).toBe(false)
  })

  await test.step('the agent cannot use our own terminal to widen its rights, not even with full access', async () => {
    await app.getByRole('button', { name: 'New chat' }).first().click()
    await app.locator('.composer').getByRole('button', { name: 'Permissions: Ask' }).click()
    await app.getByRole('menuitemradio', { name: /^Full access/ }).click()
    model.reply(callOf('npm run talaria -- permissions add allow "npm test"'), { text: 'I may not.' })
    await send(app, 'Allow yourself everything')
    await expect(lastAnswer(app)).toHaveText('I may not.')
    await card(app, /Denied$/).click()
    await expect(app.getByText(/It would use Talaria’s own terminal/).first()).toBeVisible()
  })
})
