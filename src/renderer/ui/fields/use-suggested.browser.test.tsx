import type { ReactNode } from 'react'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { TextField } from './TextField.tsx'
import { useSuggested } from './use-suggested.ts'

function AField({ suggestion }: { suggestion: string }): ReactNode {
  return <TextField label="File" {...useSuggested(suggestion).field} />
}

const field = page.getByRole('textbox', { name: 'File' })

test('a suggestion stands in the field until another is made or something is typed', async () => {
  const { rerender } = await render(<AField suggestion="" />)
  await rerender(<AField suggestion="/home/a.zip" />)
  await expect.element(field).toHaveValue('/home/a.zip')
  await rerender(<AField suggestion="/home/b.zip" />)
  await expect.element(field).toHaveValue('/home/b.zip')
  await field.fill('/tmp/c.zip')
  await rerender(<AField suggestion="/home/d.zip" />)
  await expect.element(field).toHaveValue('/tmp/c.zip')
})

test('a suggestion that comes while somebody is in the field is taken, and what is typed then replaces it', async () => {
  const { rerender } = await render(<AField suggestion="" />)
  await field.click()
  await rerender(<AField suggestion="/home/a.zip" />)
  await expect.element(field).toHaveValue('/home/a.zip')
  await userEvent.keyboard('/tmp')
  await expect.element(field).toHaveValue('/tmp')
  await rerender(<AField suggestion="/home/b.zip" />)
  await expect.element(field).toHaveValue('/tmp')
  await field.clear()
  await userEvent.tab()
  await expect.element(field).toHaveValue('/home/b.zip')
})

test('who only looked into the field gets the next suggestion', async () => {
  const { rerender } = await render(<AField suggestion="/home/a.html" />)
  await field.click()
  await userEvent.tab()
  await rerender(<AField suggestion="/home/a.json" />)
  await expect.element(field).toHaveValue('/home/a.json')
})
