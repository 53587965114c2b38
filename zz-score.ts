export const words = (t: string) => (t.normalize('NFKC').toLowerCase().match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]|[\p{L}\p{N}]+/gu) ?? [])
export const bare = (md: string) => md.replace(/!\[[^\]]*\]\([^)]*\)/g, '').replace(/\]\([^)\s]*\)/g, ']').replace(/^```.*$/gm, '')
export function f1(got: string, want: string) {
  const w = new Map<string, number>(); for (const x of words(want)) w.set(x, (w.get(x) ?? 0) + 1)
  const g = words(got); let hit = 0; for (const x of g) { const n = w.get(x) ?? 0; if (n > 0) { hit++; w.set(x, n - 1) } }
  const wl = words(want).length; if (hit === 0) return { f: 0, p: 0, r: 0 }
  const p = hit / g.length, r = hit / wl; return { f: 200 * p * r / (p + r), p: 100 * p, r: 100 * r }
}
const norm = (t: string) => t.replaceAll('\u00a0', ' ').split('\n').map(l => l.trimEnd()).join('\n').replace(/^\n+|\n+$/g, '')
export const codeKept = (md: string, code: string) => { const un = md.split('\n').map(l => l.trimEnd()).join('\n'); const c = norm(code); return un.includes(c) || norm(un.replace(/^[ >]+/gm, '')).includes(norm(c.replace(/^[ ]+/gm, ''))) }
export const tableKept = (md: string, cells: string[]) => { const t = words(bare(md.split('\n').filter(l => l.trim().startsWith('|')).join('\n'))).join(' '); const hit = cells.filter(c => t.includes(words(c).join(' '))).length; return hit >= cells.length * 0.9 }
