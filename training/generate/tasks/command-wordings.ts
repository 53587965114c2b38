import { wordings } from '../wording.ts'

export const run = wordings(`
  ! (run|execute|start|do) {command}
  ! (run|execute) (the command|this command|this|the shell command|the following)(: | ){command}
  ! (run|execute|try) {command}
  ! (run|execute|try) {command} (in the terminal|in the shell|on the command line|in this folder|here)
  (what does|what happens with) {command} (print|say|show|return|do|give)?
  ! (use|open) the terminal (and run|to run|for)(: | ){command}
  ! (type|enter) {command} (in|into) the (terminal|shell)
  (i want you to|i need you to|i'd like you to) (run|execute) {command}
  (what is|what's|show me|give me) the (output|result) of {command}?
  (terminal|shell|command): {command}
  (let's|let us|now) (run|try|execute) {command}
  $ {command}
  {command}
  ---
  ! (fire up|launch|kick off) {command}
  ! (see|check) what {command} (gives|outputs)
  (go on with|carry out) {command}
  (on the command line|in a shell): {command}
  ! (perform|issue) {command}`)

/** Requests in words that mean one command; {a} and {b} are what it is about. */
export const SPOKEN: readonly {
  command: string
  answer: string
  output: string
  say: ReturnType<typeof wordings>
}[] = [
  {
    command: 'date',
    answer: 'It is {out}.',
    output: 'time',
    say: wordings(`
      (what time is it|what's the time|what is the time|how late is it)( now| right now| please|)?
      ! (tell me|give me|show me) the (time|current time|time and date)
      (current time|time|time now)?
      ! (tell me|check) (what time it is|the time)
      (what is|what's) the (date and time|current date)?
      ---
      ! (read|say) (the clock|what the clock says)
      (have you got|got) the time?
      (what does|read) the clock( say|)?
      which hour is it?`),
  },
  {
    command: 'git branch --show-current',
    answer: 'You are on the branch {out}.',
    output: 'branch',
    say: wordings(`
      (which|what) (git |)branch (am i on|are we on|is this|is checked out|is active)?
      (what is|what's) (the|my) current (git |)branch?
      ! (show|tell) me (the|my) (current |)(git |)branch
      ! (check|tell me) (which|what) branch (i'm on|i am on|we are on)
      (current branch|git branch)?
      ---
      on (which|what) branch do i work?
      ! (name|give me) the active branch
      the branch i'm on?`),
  },
  {
    command: 'git status --short',
    answer: 'Changed:\n{out}',
    output: 'status',
    say: wordings(`
      (what changed|what has changed|what did i change) in (git|the repo|the repository)?
      ! (show|check|tell me) (the git status|git changes|my changes|uncommitted changes|what is uncommitted)
      (do i have|are there) (any |)(uncommitted|unsaved|open|pending) changes( in git|)?
      (which|what) files (did i change|have changed|are modified|are changed)( in git|)?
      (git status|git changes|status of the repo)?
      ---
      (is|how is) (the repo|the repository|my working tree) (clean|doing)?
      (anything|something) (to commit|not committed)?`),
  },
  {
    command: 'git log --oneline -5',
    answer: 'The latest commits:\n{out}',
    output: 'log',
    say: wordings(`
      ! (show|list|give) me the (last|latest|recent|newest) (git |)commits
      (what are|what were|which are) the (last|latest|recent) (git |)commits?
      (what was|what has been|what did i) (committed|commit) (last|lately|recently)?
      ! (show|print) (the |)(git history|commit history|git log)
      ---
      ! (display|present) the (commit|git) history
      what happened in git lately?`),
  },
  {
    command: 'df -h .',
    answer: 'The disk:\n{out}',
    output: 'disk',
    say: wordings(`
      how much (disk space|space|room|storage) (is left|is free|do i have|do i have left|is there)( on the disk| on this disk|)?
      (how full is|is there room on|check) (my|the) (disk|hard drive|drive)
      ! (check|show|tell me) (the |my |)(disk space|free space|disk usage|free disk space)
      (do i have|is there) enough (disk space|space|room)( left|)?
      (disk space|free space)?
      ---
      ! (measure|report) the (space|room) on (the|my) (disk|drive)
      (is|how) (my|the) (ssd|hard disk) (almost full|full)?
      (what storage|what room) remains?`),
  },
  {
    command: 'free -h',
    answer: 'The memory:\n{out}',
    output: 'ram',
    say: wordings(`
      how much (ram|main memory|working memory) (is free|is used|is left|do i have|does this computer have)?
      ! (check|show|tell me) (the |my |)(ram|ram usage|free ram)
      (is there|do i have) enough (free |)ram?
      (ram usage|free ram)?
      ---
      ! (measure|report) the (ram|free ram)
      (what's|what is) the state of the ram?
      how (busy|full) is the ram?`),
  },
  {
    command: 'pwd',
    answer: 'You are in {out}.',
    output: 'folder',
    say: wordings(`
      (where am i|where are we|in which folder am i|which folder am i in|what directory am i in)( right now| now|)?
      (what is|what's) the (current|working) (folder|directory|path)?
      ! (print|show|tell me|give me) the (current|working) (folder|directory|path)
      (which|what) (folder|directory) is this?
      ---
      ! (report|name) (the path|this folder)
      (the path of|the way to) this folder?
      what folder do i stand in?`),
  },
  {
    command: 'whoami',
    answer: 'You are logged in as {out}.',
    output: 'user',
    say: wordings(`
      (which|what) user (am i|is logged in|is this)?
      (what is|what's) my (user name|username|login|account name)( on this computer|)?
      (who am i logged in as|as whom am i logged in|as which user am i logged in)?
      ! (tell me|show me) (my|the) (user name|username|login name)
      ---
      ! (report|name) (the|my) (login|account)
      (under|with) what (user|login) do i work here?
      the account i use on this computer?`),
  },
  {
    command: 'hostname',
    answer: 'This computer is called {out}.',
    output: 'host',
    say: wordings(`
      (what is|what's) (the name of this|this) (computer|machine)( called|)?
      (what is|what's) the (hostname|host name|computer name)?
      (how is|what is) this (computer|machine) called?
      ! (tell me|show me) the (hostname|name of this computer)
      ---
      ! (report|name) (this machine|the host)
      (which|what) machine (am i on|is this)?
      the name of this machine?`),
  },
  {
    command: 'uptime -p',
    answer: 'This computer is {out}.',
    output: 'uptime',
    say: wordings(`
      how long (has|is) (this computer|the computer|the machine|this machine|my computer) (been on|been running|on|up|running)?
      (what is|what's) the uptime( of this computer|)?
      (when was|how long since) (the|this|my) computer (was started|started|booted|restarted)?
      ! (show|tell me|check) the uptime
      ---
      ! (report|measure) (the uptime|how long we are up)
      since when is this machine on?
      (how many hours|how many days) is the computer up?`),
  },
  {
    command: 'uname -sr',
    answer: 'It is {out}.',
    output: 'kernel',
    say: wordings(`
      (which|what) (operating system|os|system|kernel) (is this|do i have|is running|does this computer run|am i on)?
      (what is|what's) (the|my) (operating system|os|kernel version|kernel)?
      ! (tell me|show me|check) (the|my) (operating system|os|kernel version)
      ---
      ! (report|name) (the kernel|the system)
      (on|under) which (system|kernel) does this run?
      is this linux?`),
  },
  {
    command: '{a} --version',
    answer: 'The version of {a} is {out}.',
    output: 'version',
    say: wordings(`
      (which|what) version of {program} (is installed|do i have|is this|am i using|is here)?
      (what is|what's) (the|my) {program} version?
      (do i have|is) {program} (installed|here|available)?
      ! (check|show|tell me) the (version of {program}|{program} version)
      {program} version?
      how (new|old) is my {program}?
      ---
      ! (report|look up) (the release of {program}|how new {program} is)
      (is there a|got) {program} on this machine?
      the {program} i have is which version?`),
  },
  {
    command: 'wc -l {a}',
    answer: '{out} lines.',
    output: 'lines',
    say: wordings(`
      how many lines (does {path} have|are in {path}|has {path})?
      ! count the lines (of|in) {path}
      (what is|what's) the (number of lines|line count) (of|in) {path}?
      ! (tell me|show me) how many lines {path} has
      ---
      ! (report|determine) the line count of {path}
      (how long|how many lines long) is {path}?
      the line count of {path}`),
  },
  {
    command: 'du -sh {a}',
    answer: 'The size is {out}',
    output: 'size',
    say: wordings(`
      how (big|large) is (the folder |){folder}?
      (what is|what's) the size of (the folder |){folder}?
      ! (check|tell me|show me) (the size of|how big) (the folder |){folder}( is|)
      how much space does {folder} (take|need|use)?
      ---
      ! (report|determine) the (size|weight) of {folder}
      how heavy is {folder}?
      the size of {folder}, please`),
  },
]

/** Requests that change files: the command says what to do, the answer that it was done. */
export const CHANGES: readonly {
  id: string
  command: string
  done: string
  not: string
  say: ReturnType<typeof wordings>
}[] = [
  {
    id: 'delete',
    command: 'rm {path}',
    done: 'Deleted {path}.',
    not: '{path} was not deleted',
    say: wordings(`
      ! (delete|remove|erase|trash) (the file |){path}
      ! (delete|remove|get rid of|erase) {path}
      (i don't need|i no longer need|we don't need) {path} (any more|anymore|), (delete it|remove it)
      ! (throw away|throw out|get rid of|drop) {path}
      {path} (can go|can be deleted|is not needed any more)
      rm {path}
      ---
      ! (wipe|bin|scrap) {path}
      {path} (must|should) (disappear|go away)
      (make|let) {path} (go away|vanish)`),
  },
  {
    id: 'rename',
    command: 'mv {path} {new}',
    done: 'Renamed {path} to {new}.',
    not: '{path} was not renamed',
    say: wordings(`
      ! (rename|move) (the file |){path} (to|into) {new}
      ! (rename|move) {path} to {new}
      ! (call|name) {path} {new}( instead| from now on|)
      ! (change|set) the name of {path} to {new}
      {path} should be (called|named) {new}
      ! give {path} the name {new}
      ---
      ! (rebaptise|retitle) {path} (to|as) {new}
      (let|make) {path} (be called|bear the name) {new}
      {new} is a better name for {path}, rename it
      the new name of {path} is {new}`),
  },
  {
    id: 'copy',
    command: 'cp {path} {new}',
    done: 'Copied {path} to {new}.',
    not: '{path} was not copied',
    say: wordings(`
      (copy|duplicate|back up|backup) {path} (to|as|into) {new}
      ! (make|create) a (copy|backup|duplicate) of {path} (called|named|as) {new}
      ! (copy|duplicate) {path} to {new}
      ! (save|store|keep) a copy of {path} (as|in) {new}
      ---
      ! (clone|replicate) {path} (as|to) {new}
      {new} should be a copy of {path}`),
  },
  {
    id: 'make-folder',
    command: 'mkdir -p {folder}',
    done: 'Made the folder {folder}.',
    not: 'the folder {folder} was not made',
    say: wordings(`
      ! (make|create|add) (a folder|a new folder|a directory|the folder|a subfolder) (called |named |){folder}
      ! (make|create) a folder (called |named |){folder}
      (i need|i want|i'd like) a (folder|directory) (called |named |for |){folder}
      new (folder|directory)(: | ){folder}
      mkdir {folder}
      ---
      ! (set up|open) a (folder|directory) {folder}
      let there be a folder {folder}
      {folder} as a new folder`),
  },
  {
    id: 'run-script',
    command: 'python3 {script}',
    done: 'It ran: {out}',
    not: '{script} was not run',
    say: wordings(`
      ! (run|start|execute|launch) (the script |my script |the program |){script}
      ! (run|start|execute) {script}
      ! (try|test) (the script |){script}
      what does {script} print?
      ---
      ! (fire up|kick off) {script}
      let {script} run
      ! give {script} a go`),
  },
  {
    id: 'install',
    command: 'pip install {package}',
    done: 'Installed {package}.',
    not: '{package} was not installed',
    say: wordings(`
      ! (install|pip install|add|get) (the python package |the package |){package} with pip
      ! (install|get me|add) (the |)python (package|library|module) {package}
      ! install {package} (for python|with pip)
      (i need|i want|we need) the python package {package}
      ---
      ! (put|bring) the python package {package} on this machine
      {package} for python, install it`),
  },
  {
    id: 'unzip',
    command: 'unzip {zip}',
    done: 'Unpacked {zip}.',
    not: '{zip} was not unpacked',
    say: wordings(`
      ! (unzip|unpack|extract|open|uncompress) (the file |the archive |){zip}
      ! (unzip|unpack|extract) {zip}
      ! (extract|unpack) (everything|all files) (from|in) {zip}
      ---
      ! (decompress|inflate) {zip}
      ! get the files out of {zip}`),
  },
]
