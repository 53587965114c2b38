/** Words for the tools of well-known kinds of servers, in the form of `related-words.ts`. */
export const TOOLS = `
escalation policies list: order called chain; schedule users: rotation takes part who people; services list: monitored
responders incident: help hands more people bring; incidents list: burning broken outages ongoing
incident get: details
checklist item card: step subtask; attach file card: document; assign member card: give responsible
comment card: write say
set active board: switch work default; archive list: column; cards list id: column in what sits
update card details: rename
container list: running up; container start: bring up again; image remove: rid free
volume create: storage persist keep
network create: let talk together private; user details token: permitted who am account
engagement create: note task log
associations create: connect link attach; objects list: all contacts; properties list: fields available what
execute code blender: python script; polyhaven download asset: texture hdri bring; categories: kinds sorts of
generate model text hyper3d: make 3d from description; generate model images: from photos pictures turn photo into
screenshot viewport blender: see how looks; object info: size position where; scene info: what is in
dashboard update: add panel change; deeplink generate: link share url
metric names: which metrics exist recorded measured
label names loki: filter which; stats log streams: how much volume; alert rule uid: condition exactly
folder dashboards
workload indexes analyze: missing faster recommend; db health: healthy well vacuum bloat
top queries slowest: heavy eats
users list: everyone members who belongs; bot self token: who am integration; page retrieve: open show
block delete: remove
block update: reword change paragraph; page properties patch: status tick; database query: filter entries
comments retrieve
entities create: remember people new; observations add: remember fact about that
relations delete: no longer friends works
observations delete: wrong forget no longer; search nodes: know; whoami authenticated: logged account identity
organizations find: companies belong; teams find: groups; project create: new app; dsn create: another key
events search count: how many often times; docs search: how set sdk instrument manual; attachment event: dump
browser back: previous page return; drag drop element: pull move onto; dropdown option: choose pick; hover: mouse over
image edit: replace sky add hat change colour; image describe: what see; variations: similar versions like
upscale increase resolution: blurry pixelated sharper enlarge small tiny bigger print; transparent background: cut-out
remove background image: removebg behind backdrop; convert image format: png jpg webp; image restore: old scratched
group projects list: team ours; label create: tag new; wiki pages list: documentation articles
thread merge request: discuss
cancel pipeline: abort stop halt running; retry pipeline: again failed once more; pipelines list: latest builds runs
merge request merge: land accept; merge request get: details; project get: about info; issue create gitlab: bug report
read multiple files: several both all at once simultaneously chapters; directory tree recursive: nested laid structure
search files: where somewhere find lost named; allowed directories: permitted access touch reach
write file: save put into
media file: picture audio; file info: when changed how big last touched; directory create: folder new
edit file: replace
forum post create: topic ask; forum reply: answer; webhook message send: through bot; member roles: rank
channel delete: close
reaction add: thumbs react emoji heart; message reply thread: answer under; server info: created how many members guild
channel create text: room new; category create: group channels section; message delete moderation: take down
scale recipe: twice double half more people portions servings; plan week meals: menu next days cook
by ingredients: leftovers
glossary info: entries contains; glossary dictionary entries: terms inside; source languages: from input
target languages: into
customers list: clients who; customer create: client new register; products list: sell offer range; prices list: cost
invoice item create: line position add; finalize invoice: lock ready done send; balance retrieve: money available have
payment intents list: payments came; subscriptions list: members paying monthly
update subscription: switch plan upgrade
update dispute: evidence respond answer fight; list disputes: complaints chargebacks contested
documentation search: how
set string key value: remember store put; get string key value: what is stored under; delete key: drop evict remove
expire expiration time key: vanish seconds minutes after live; rename key: call; type key: what kind
info server: memory uptime
hset field hash: put write; hget field hash: one value; hgetall fields values hash: every all whole complete
rpop remove last: take off end; lpush push left: put front enqueue; sadd add set: tag into
smembers members set: who in all
zadd member score: ranking points player; zrange range: ranking top leaderboard
publish message: tell everyone announce
records search containing: rows mention where; record get: row one; records delete: rows rid
records update: rows tick change
table create: place keep new list; field create: additional column attribute another new; table update: rename call
field update: rename column call; bases list: workspaces; record create: entry new row add
thread replies: answers said under; users workspace: everyone colleagues who; profile user: phone title
pin message: top keep
file upload channel: share put; topic channel: about; search messages workspace: who wrote mentioned
drive upload: put cloud; drive move item: into folder put; drive rename item: call; drive delete item: trash bin
drive share file: let see give access; google doc create: write letter text new
google sheet create: table spreadsheet new
google slides create: presentation talk deck; google doc update: change add; permissions list: who can see open
create folder drive: place directory; copy file: duplicate; export: download as
colors list: colours available red; accounts connected: logged; respond event: accept decline come attend invitation
get event: details where who comes; calendars list: which have
freebusy free busy query: available free time gap fits who am
documents find: who where which; insert many: put add; index create: faster speed
collection schema: fields look structure
storage size collection: space big large takes; drop collection: rid away; drop database: wipe whole
databases list: which
connect: log attach use instance; count documents: many number; explain query: why slow plan
logs mongod: recent messages
delete many documents: older purge clean matching; rename collection: call; export: dump save
pdf images extract: pictures photos inside; pdf encrypt: protect nobody lock; pdf compress: too big mail smaller
pdf form fill: write name fields; pdf ocr: scan searchable; pdf split: chapters separate; pdf add page numbers
paper download: fetch get save; paper read stored: what does say content; papers list: have already downloaded
index create: new; index delete: rid; indices list: which have; esql query: ask compute
search documents: find containing
vault list files: notes have all; dir files: notes folder inside; batch file contents: several notes both
complex search: json
recent changes vault: edited lately last touched; periodic note: today daily week
periodic notes recent: last days diary
append content: add end; patch content heading: under below section; delete file vault: rid note
search simple: mentions word
summarizer: brief overview gist; video search: clips; local search: near around open; image search: pictures photos of
broadcast message home: tell everyone announce say; set position: half halfway percent open
vacuum base: home dock charge
timer cancel: never mind stop; timer start: minutes egg remind; live context state: is on open closed warm which lights
light set: dim brighter colour; media next: skip; volume set: louder; complete item list: tick got bought off
namespace kv create: store; kv namespaces list: stores have; worker code source: script; worker get: details
buckets list: storage have; bucket delete: storage rid; bucket create: place files; databases list d1: have
zones list: domains
dns record create: subdomain point; dns record delete: subdomain remove; dns records list: entries domain where points
product update: price title change; product create: sell new offer; product get id: details
collections: categories groups
customers search: buyers clients; customer update: address phone changed moved; order id: details what in
order update: note
fulfillment create: shipped sent dispatch mark tracking; shop details: our store about currency; tag order
elevation: high metres mountain altitude; place details: open hours phone; search places: near where eat
geocode: coordinates
distance matrix: far long many; directions: way get walk drive; reverse geocode: what is at
route: way get station museum
tags get: keywords used; note create item: write thought remark; collection items: inside folder
item children: attached files
fulltext item: whole say inside; advanced search: published before after by and; recent: lately; annotations: marked
describe object metadata: fields has custom; dml records insert update delete: change close add
manage field: new column add
manage object: new type kind; debug logs: trace apex; search all sosl: anywhere everywhere across mention
aggregate: total per
apex class: code; query records: which show opportunities accounts; flow: automation; profile permission: rights
search jira jql: which open mine overdue; issue create jira: report bug ticket open
worklog get: who spent hours much time
transitions get: can move next possible states; epic link: belongs under part
issue link: blocks duplicate depends relates
agile boards: board; sprints board: sprint current; sprint issues: in this; download attachments: files get
project issues
user profile: who is email; issue comments: said; issue delete: remove rid; batch create issues: several many
latest module version: newest current; latest provider version: newest current
provider details: arguments resource docs
workspace create: environment; run create: apply plan; policies search: rules; run details: did went why failed
page children: below under subpages; page labels: tags; label add: tag mark; user search: who find person
comments page: said
page create: write article new; page update: outdated correct; page delete: remove; page get: read open show what says
search tracks albums: find song called; playlists my: which lists have; playlist tracks: songs in what
resume: continue go
pods list: running; pods log: said prints why; pods delete: kill remove; pods run: start image
pods top: cpu memory eats
events list kubernetes: happened odd wrong lately; namespaces list: which; resources delete: remove
resources get: show yaml
helm install: put deploy chart; resource create update apply: yaml manifest; pods exec: inside run command
search airports: code nearest; price calendar fare day: cheapest when; hotel reviews: guests say good; visa: need enter
reopen task: undo not done after all again; section create: another heading part group new; projects get: lists which
move task: into another project put; label create: tag; comment add task: note remark; task delete: remove rid
task create: add
repositories search: projects find popular; push files: upload several; branch create: line
pull request review create: approve
pull request reviews: said approved; pull request files: touched; update branch: behind sync newest
commits list: changed last
search code: where used; issue get: details; fork: own copy; pull request comments: remarks
issues list: open bugs tickets
playlist items: in what videos; channel get: about subscribers who; video get: views long published
video search: find clips
email read: open what says; labels list: which have; batch modify: many all mark archive; batch delete: many all rid
label update: rename; label delete: remove; filter delete: no longer automatically; filters list: rules which
attachment: save
astronomy: sun moon rise set up down; air quality: breathe; current: now outside; forecast: tomorrow; alerts: warnings
data figma file: layers; node screenshot: picture frame; comments figma: feedback said designers
rules design: guidelines
cash flow statement: money comes goes; options chain: calls puts; company profile: does who many employees sector
move file: verschieb verschieben verschiebe; directory folder list: ordner verzeichnis
file get read list: datei dateien
delete remove: lösch löschen lösche entferne entfernen weg; create add new: anlegen erstelle erstellen neue neuen neues
update edit: ändern ändere aktualisiere; get list: zeige zeig nenne; search find: suche suchen finde such
play: spiel spiele
send message: schick schicke sende; rename: nenne umbenennen; run start: starte starten; upload: hochladen
reply: antworte
open read get: öffne öffnen lies; task: aufgaben aufgabe; appointment event: termine; message: nachrichten
user: benutzer
price: preis kostet kosten; invoice: rechnungen; customer: kunde kunden; order: bestellung bestellungen
weather: wetter
`
