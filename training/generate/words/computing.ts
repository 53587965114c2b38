import { list } from './list.ts'

export const folders = list(`
docs, notes, src, data, images, photos, scripts, tests, build, dist, reports, invoices, letters, music, recipes, templates, archive, backup,
drafts, logs, config, public, assets, lib, tools, examples, downloads, work, school, travel, taxes, contracts, slides, papers, articles,
chapters, samples, exports, imports, results, plots, sketches, audio, videos, maps, books, client, server, web, api, models, bin, tmp,
misc, old, new, shared, team, plans, minutes, memos, projects, receipts, manuals, wiki, pages, posts, themes, locale, fonts, icons`)

export const extensions = list(
  'md, txt, csv, json, log, yaml, html, py, js, ts, sh, ini, toml, xml, css, sql',
)

/** Text files that people have. */
export const textExtensions = list('md, txt, md, txt, log, csv')

export const wholeNames = list(`
README.md, notes.txt, todo.md, package.json, index.html, main.py, app.js, config.yaml, Makefile, LICENSE, CHANGELOG.md, data.csv, setup.py,
requirements.txt, server.log, style.css, diary.txt, shopping.txt, ideas.md, plan.md, budget.csv, welcome.md, report.md, contacts.csv,
agenda.md, minutes.md, letter.txt, recipe.md, packing-list.txt, todo.txt, draft.md, cv.md, hello.py, test.js, run.sh, Dockerfile,
settings.ini, schema.sql, links.txt, books.csv, quotes.txt, bugs.md, roadmap.md, journal.md, questions.txt, addresses.csv, error.log`)

export const branches = list(`
main, master, develop, feature-login, fix-typo, release-2, staging, new-layout, experiment, hotfix, docs-update, refactor, dark-mode,
search-index, v2, bugfix-42, next, gh-pages, test-speed, add-tests, cleanup, user-profile, payment, i18n, upgrade-deps`)

export const packages = list(`
requests, numpy, pandas, flask, express, lodash, react, vite, typescript, eslint, pytest, django, axios, chalk, zod, vitest, prettier,
matplotlib, scipy, jinja2, httpx, rich, click, svelte, vue, dotenv, commander, fastify, black, mypy, ruff, sqlite3, pillow, tqdm`)

export const programs = list(`
git, node, npm, python3, pip, make, docker, cargo, go, java, curl, ffmpeg, pandoc, vim, emacs, tmux, rsync, gcc, ruby, perl, php, deno, bun`)

export const editors = list(`
vim, emacs, VS Code, nano, Sublime Text, Zed, IntelliJ, Kate, Notepad, Helix, Obsidian, Firefox, Chrome, Safari, Thunderbird, Notion`)

export const codeLanguages = list(`
Python, TypeScript, JavaScript, Rust, Go, Java, Kotlin, Swift, Ruby, PHP, Haskell, Elixir, Scala, Lua, Julia, Perl, Zig, Dart, Fortran`)

/** Commands as people type them. */
export const commands = list(`
ls -la, ls, pwd, whoami, date, git status, git log --oneline, git diff, git branch, git pull, git push, npm test, npm run build, npm install,
npm run lint, npm start, make, make test, make clean, python3 main.py, python3 --version, node index.js, node --version, pip list, df -h,
du -sh ., free -h, uptime, uname -a, hostname, ps aux, top -b -n 1, env, cat notes.txt, head -n 5 data.csv, tail -n 20 server.log,
wc -l data.csv, grep -r TODO ., find . -name "*.md", sort names.txt, uniq names.txt, cargo build, cargo test, go test ./..., docker ps,
docker images, docker compose up -d, curl -I example.com, ping -c 1 example.com, echo hello, sleep 2, cal, id, which python3, history,
tree, ls docs, mkdir build, touch empty.txt, cp a.txt b.txt, mv a.txt b.txt, rm old.txt, chmod +x run.sh, ./run.sh, bash setup.sh,
pytest, pytest -q, ruff check ., black ., mypy src, tsc --noEmit, npx vitest run, npx eslint ., git stash, git fetch, git tag, git show,
git commit -m "fix", git checkout main, git remote -v, tar -xf data.tar, unzip photos.zip, zip -r out.zip docs, sqlite3 data.db .tables,
lsblk, lscpu, netstat -tln, ip addr, dig example.com, nslookup example.com, stat notes.txt, file photo.jpg, md5sum data.csv, seq 1 5,
systemctl status ssh, journalctl -n 20, crontab -l, java -version, go version, rustc --version, gcc --version, ffmpeg -version`)
