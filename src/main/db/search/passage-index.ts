import { cutUnspaced, dayWords, foldText, withoutCodes } from '../../lib/words/index-words.ts'
import type { Connection } from '../connection.ts'

/** Maximum number of characters of one message to index with its passage. */
const INDEXED = 20_000

type Stale = { id: number; session_id: string; first_id: number; last_id: number; title: string }

/** How many characters to index at a time, unless a single passage has more: a few ms of blocking work. */
const AT_ONCE = 50_000

/** Keep the passage index up to date: triggers note changes, and these are read and indexed here. */
export function createPassageIndex({ db, atomically }: Connection): {
  refresh(most: number): number
} {
  // A given title says what a chat is about; one derived from the first message adds nothing.
  const stale = db.prepare<[number], Stale>(`
    select p.id, p.session_id, p.first_id, p.last_id, case when s.title_given = 1 then s.title else '' end as title
    from passages p join sessions s on s.id = p.session_id where p.stale = 1 order by p.id desc limit ?`)
  const texts = db.prepare<[string, number, number], { text: string; at: number }>(`
    select substr(content, 1, ${INDEXED}) as text, created_at as at from messages
    where session_id = ? and id between ? and ? and role <> 'tool' order by id`)
  const index = db.prepare<[number, string]>(
    'insert or replace into passages_search (rowid, content) values (?, ?)',
  )
  const fresh = db.prepare<[number]>('update passages set stale = 0 where id = ?')

  return {
    refresh(most) {
      const waiting = stale.all(most)
      if (waiting.length === 0) return 0
      return atomically(() => {
        let done = 0
        let chars = 0
        for (const { id, session_id, first_id, last_id, title } of waiting) {
          const text = documentOf(title, texts.all(session_id, first_id, last_id))
          index.run(id, text)
          fresh.run(id)
          done++
          chars += text.length
          if (chars >= AT_ONCE) break
        }
        return done
      })
    },
  }
}

/** Build the document of a passage. The title counts twice; messages are indexed with day, month and year. */
function documentOf(title: string, messages: readonly { text: string; at: number }[]): string {
  const days = new Set(messages.flatMap(({ at }) => Object.values(dayWords(at))))
  const texts = messages.map(({ text }) => cutUnspaced(foldText(withoutCodes(text))))
  return [cutUnspaced(foldText(title)), cutUnspaced(foldText(title)), [...days].join(' '), ...texts].join(
    '\n',
  )
}
