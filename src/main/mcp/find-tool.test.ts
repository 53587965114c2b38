import { describe, expect, test } from 'vitest'
import { findTools } from './find-tool.ts'

const tool = (server: string, name: string, description: string) => ({ server, name, description })
const TOOLS = [
  tool('files', 'create_directory', 'Create a new directory'),
  tool('files', 'delete_file', 'Delete a file'),
  tool('files', 'listFiles', 'List the files of a directory'),
  tool('mail', 'send_email', 'Sends a new email to one or more recipients'),
  tool('mail', 'search_emails', 'Searches for emails'),
  tool('tracker', 'create_issue', 'Create a new issue'),
  tool('tracker', 'list_issues', 'List issues with filters'),
  tool('sky', 'get_forecast', 'Get the weather forecast for a place'),
]
const first = (request: string) => findTools(TOOLS, request, 1)[0]?.name

describe('the search for tools', () => {
  test.each([
    ['make a folder called invoices', 'create_directory'],
    ['throw away notes.txt', 'delete_file'],
    ['which documents are in that folder?', 'listFiles'],
    ['write to bob@example.com that I will be late', 'send_email'],
    ['report a bug in the tracker', 'create_issue'],
    ['which tickets are open?', 'list_issues'],
    ['will it rain on Sunday?', 'get_forecast'],
  ])('finds for “%s” the tool %s', (request, name) => expect(first(request)).toBe(name))

  test('finds nothing where no word leads to a tool', () => {
    expect(findTools(TOOLS, 'xyzzy')).toEqual([])
    expect(findTools(TOOLS, '')).toEqual([])
    expect(findTools([], 'anything')).toEqual([])
  })

  test('takes words that objects have by nature as words', () => {
    expect(findTools(TOOLS, 'constructor __proto__')).toEqual([])
  })
})
