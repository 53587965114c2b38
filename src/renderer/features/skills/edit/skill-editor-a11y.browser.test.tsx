import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { expectAccessibleAt } from '../../../test/accessible.ts'
import { button } from '../../../test/show-window.tsx'
import { code, dangerousLine, field, haiku, haikuText, showEditor } from '../../../test/skill-editor.tsx'

async function write(text: string) {
  await expect.element(code()).toHaveAttribute('aria-multiline', 'true')
  await code().click()
  await userEvent.keyboard(`{Control>}{End}{/Control}${text}{Control>}s{/Control}`)
}

const screens: Record<string, () => Promise<unknown>> = {
  'the editor': async () => {
    await showEditor()
    await expect.element(code()).toHaveAttribute('aria-multiline', 'true')
  },
  'an original with errors': async () => {
    await showEditor('bundled/clean-csv')
    await field('Description').fill('')
    await expect.element(button(/Line 1/)).toBeVisible()
  },
  'a refused save': async () => {
    await showEditor()
    await write(dangerousLine)
    await button('Save anyway…').click()
  },
  'a conflict': async () => {
    const { host } = await showEditor()
    await expect.element(code()).toBeVisible()
    const text = haikuText.replace('step', 'leap')
    await host.elsewhere['skills.save']({ id: haiku, path: 'SKILL.md', text, expected: haikuText })
    await write('Mine.')
    await expect.element(button('Keep mine')).toBeVisible()
  },
  'leaving with something unsaved': async () => {
    await showEditor()
    await field('Tags').fill('other')
    await expect.element(page.getByText('not saved')).toBeVisible()
    await button('Close').click()
  },
  'a new file': async () => {
    await showEditor()
    await button('New file…').click()
  },
}

test.for(Object.keys(screens))(
  '%s: no accessibility violations, light or dark, wide or narrow',
  async name => {
    await screens[name]!()
    await expectAccessibleAt(1_280, 420)
  },
)
