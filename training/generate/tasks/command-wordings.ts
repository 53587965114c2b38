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
  ! (invoke|call|trigger|process|send off|test|evaluate) (the command |the shell command |){command}
  ! (put|throw|pass|feed|give) {command} (into|to) the (terminal|shell|console|command line)
  (mind running|mind executing|care to run|how about running|how about) {command}?
  (would love to|would like to|got to|need to|have to|want to) (run|execute|try) {command}
  (i need|i'd like|i want|we need|gimme) (the output of|what comes out of|the result of|to see the output of) {command}
  (console|bash|cmd|zsh|prompt|run|exec|execute|shell command|in bash|cli): {command}
  {command} (in the terminal|in the shell|on the console|in bash|as a command)( please|)
  {command}, (run it|execute it|run that|what does it print?|show the output|and tell me what it says)
  (here is a command|here's a command|this command|the following command|a command for you): {command}
  (what comes|what do you get|what do i get|what is printed|what happens) (out of|from|when you run|if you run|if i run) {command}?
  (run|execute) {command} and (tell me|show me|report) (what it says|the output|the result|what happens)
  {command} (should be|must be|has to be|needs to be|is to be) (run|executed)( now|)
  {command} (prints|says|outputs|returns|shows) what?
  (can't|cannot) (type|run) it myself(: |, run ){command}
  (with|via|over|through|using) the (terminal|shell|console|command line)(: |, run |, execute |, do ){command}
  bash -c {command}
  > {command}
  (run this|execute this|run the following|try this one|run this one|do this in the shell)(: | - ){command}
  (open|start) a (shell|terminal|console)( and|, then) (run|type|do|execute|enter) {command}
  (it is|it's) time to run {command}
  ! (have|get) {command} (run|executed)( in the shell| in the terminal|)
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
      (need|i need|i want|gimme|i'd like to have) (to know what time it is|the time|the exact time|the present time|the hour)( please| now|)
      (what|which) time (do we have|is it now|is it at the moment|is it by now|do you have|have we)( exactly|)?
      (mind telling|care to tell) me (the time|what time it is)?
      (can't|cannot) see (a clock|my watch), what time is it?
      (is it|is it already) (late|noon|past noon|morning|evening|past midnight)? what time is it?
      (lost track of time|no watch here|no clock here|my watch stopped), what time is it(, please|)?
      (time|exact time|the time|time and date|date and time|local time|clock time)( please| now|)?
      (would like|got|need|have|want) to know (the time|what time it is|how late it is)
      how (late|early) is it (already|here|at the moment|by now|exactly)?
      ! (print|get|look up|find out|output|check) the (current |present |exact |local |)(time|date and time)
      (what|which) (day and time|date and hour|time and date) (is it|do we have)( now| right now| here|)?
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
      ! (print|get|look up|find out|output) the (current |active |checked out |)(git |)branch( name|)
      (need|i need|i want|gimme|got to know) the (name of the |current |)(git |)branch( please| name|)
      (what|which) branch (do we have|do i have|has git|is git on|is the repo on|is current|is it|are we using|am i using)( now| here|)?
      (branch|branch name|active branch|my branch|this branch|git branch name)( please|)?
      (am i|are we) on (main|master|the main branch|the right branch|some other branch)? (which branch is it|what branch)?
      (mind checking|mind telling me|care to check|would like to know) which branch (i am on|we are on|is active)
      i forgot (which|what) (git |)branch (i am on|i'm on|i checked out|we are on)
      git: (which|what) branch(, please| now| is it|)?
      (what is|what's) the (branch|git branch|name of the branch) (called that i am on|that i am on|that we are on|here|in this repo)?
      (this repo|this repository|the repo) is on (which|what) branch?
      (where|on what branch) does (git|head|the head) (point|stand|sit)( to|)( now|)?
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
      (what changed|what has changed|what did i change|which files did i change|which files have changed|what files are modified|what is uncommitted|what is staged|what's unstaged) in (git|the repo|the repository)?
      (please |can you |could you |just |i want you to |)(show|check|print|get|output) (me |)(the git status|git changes|my changes in git|uncommitted changes|the changed files in git)
      (please |can you |could you |now |i need you to |)(tell me|look up|find out|see|check) (what is uncommitted|what changed in the repo|the state of git|which files are modified)
      (what has|what have i|what got|what's been) (changed|edited|touched|modified) (in git|in the repo|since the last commit|in the working tree)( so far| today|)?
      ((do i have|are there|have i got) (any |)(uncommitted|unsaved|open|pending|local) (changes|edits)|(have i|did i|has anybody) (changed|edited|touched|modified) (anything|any file))( in git| in the repo|)?
      (which|what) (files|changes|edits) (did i change|have changed|are modified|are changed|are uncommitted|have not been committed yet|are new|were touched|differ)( in git| since the last commit|)?
      (git status|git changes|status of the repo|repo status|uncommitted changes|changed files in git|working tree status|git: what's new|git: status|git: any changes|modified files in the repo)( please|)?
      ((need|i need|i want|gimme|got to see|would like to see|mind checking|care to check) (the git status|my uncommitted changes|the changed files in git|the status of the repo))( please| now|)
      (what does git (say|show|report) (is changed|has changed|as modified|about my changes|is uncommitted|as changed)|what (is|has been|was) (different|edited|modified|touched) since the last commit)?
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
      ! (print|get|look up|find out|output|go over) (the last few|the five last|the most recent|the latest|my last) (git |)commits
      (need|i need|i want|gimme|got to see) (the|a list of the) (last|latest|recent|newest) commits( please|)
      (last|latest|recent|newest|last five|last few|most recent) commits( in git| please|)?
      (git log|git history|commit log|commit history|commits|log of commits)( please|)?
      (what|which) commits (did i make|were made|have we made|came in|are the newest|are there|were the last)( lately| recently|)?
      (who committed what|what got committed|what went into git|what was committed)( lately| recently| last|)?
      (mind showing me|care to show me|would like to see) the (git log|commit log|last commits|recent commits)
      (the|our|my) (last|recent|latest) (changes|entries) in the (git|commit) log?
      (what does|what would) the (git|commit) log (say|show|contain)?
      (what was|what is|what's) (in the last commits|the last commit|the latest commit|the newest commit|in the git log)?
      git: (history|log|last commits|recent commits|newest commits)( please|)?
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
      ! (print|get|look up|find out|output|see) how much (disk space|free space|room on the disk) (there is|i have|we have|is left)
      (need|i need|i want|gimme|got to know) (the free disk space|the disk usage|to know how full the disk is)( please|)
      (am i|are we|is the disk|is my disk) (running out of|running low on|short of|out of|low on) (disk space|space|storage)?
      (disk usage|free storage|storage left|space left|disk full|room left|free gigabytes|disk space left)( please|)?
      (how many|how much) (gigabytes|gb|gigs|free gb) (are left|are free|do i have left|have i got|does the disk have)( on the disk| on my drive|)?
      (mind checking|care to check|would like to know) (the free disk space|how full my disk is|the space on my drive)
      (will|would) (a big file|a large download|a movie|a few gigabytes) (still |)fit on (my|the) (disk|drive)?
      (what is|what's) the (free space|disk usage|space left|used space|storage situation|state of my disk)( on this disk| here|)?
      (how much of|what part of) (the|my) (disk|drive|hard drive) is (used|in use|taken|free|filled|full)?
      disk: (how full|free space|how much is left|usage|space|room left)( please|)?
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
      ! (print|get|look up|find out|output|see) (the ram usage|how much ram is free|how much ram is used|the free main memory|the used ram)
      (need|i need|i want|gimme|got to know) (the ram usage|the free ram|the amount of ram|how much ram is left)( please|)
      (am i|is this computer|are we|is my machine) (running out of|running low on|short of|out of|low on) ram?
      (ram|ram left|used ram|ram status|total ram|free main memory|ram in use|ram available)( please|)?
      (how many|how much) (gigabytes of ram|gb of ram|gigs of ram|gb ram|ram) (are left|are free|do i have left|have i got|does this machine have)?
      (mind checking|care to check|would like to know) (the ram|how much ram i have|the ram usage|the free ram)
      (what is|what's) (the ram usage|the amount of ram|my free ram|the used ram|using up my ram|left of my ram)( here| right now|)?
      (how much of|what part of) (the|my) ram is (used|in use|taken|free|filled)?
      (is|has) (the|my) ram (used up|nearly used up|all taken|got room|enough)?
      ram: (how much|how much is free|usage|free|left|used)( please|)?
      (does|has) (this computer|this machine|my laptop|my computer) (have|got) (enough|a lot of|much|plenty of) ram( left| free|)?
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
      ! (print|tell me|give me|name me) the (current|working) (folder|directory|path)
      (which|what) (folder|directory) is this?
      ! (print|get|look up|find out|output) (the path of this folder|the full path of this folder|my location on the disk|the folder we are in)
      (need|i need|i want|gimme|got to know) (the path|the full path|the current path|the working directory|my current folder)( please|)
      (current folder|current directory|working directory|present working directory|this path|full path|folder path)( please|)?
      (in|inside) (what|which) (folder|directory) (are we|are you|are you working|am i working)( now| right now|)?
      (where|in what place) on (the|my) disk (am i|are we|are you|is this folder|is this)?
      (mind telling me|care to tell me|would like to know) (which folder i am in|what folder we are in|the current path)
      (what is|what's) (this folder|this directory|the folder we are in|our current directory) (called|named|'s path|'s full path)?
      (what is|what's) the (full |absolute |whole |)path (here|of this directory|of the current folder|to the working directory)?
      i (forgot|lost track of|don't know) (what|which) (folder|directory) (i am in|i'm in|we are in)
      (path|directory|folder): (where am i|where are we|what is it now|current one)( please|)?
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
      ! (print|get|look up|find out|output) (my user name|my username|the login name|the user i am|who is logged in)
      (need|i need|i want|gimme|got to know) (my user name|my username|my login name|the current user|the name of my account)( please|)
      (user name|username|login name|account name|current user|logged in user|my login)( please|)?
      (who|which user) (is|is it that is) (logged in|signed in|using this computer)( here| right now| on this machine|)?
      (as who|as whom|as which user|by what user name) (am i|are we) (signed in|logged on|logged in here)?
      (mind telling me|care to tell me|would like to know) (my user name|my login name|which user i am)
      (what is|what's) the (current user|user name|name of my account|account name|login name|user)( here| on this machine| called|)?
      i forgot my (user name|username|login name|account name)( here| on this computer|)
      (am i|are we) (root|the admin|an ordinary user|a guest)( here|)? (which user am i|what user is it)?
      user: (which one|what is it|who|name)( please| is logged in|)?
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
      ! (print|get|look up|find out|output) (the computer's name|the host name|the name of the computer|the hostname of this machine)
      (need|i need|i want|gimme|got to know) (the hostname|the host name|the name of this computer|this computer's name)( please|)
      (hostname|host name|computer name|machine name|name of the computer|name of this computer|device name|pc name)( please|)?
      (mind telling me|care to tell me|would like to know) (the hostname|what this computer is called|the name of my machine)
      (what|which) name does (this computer|this machine|my computer|the pc|my laptop|this device|the host) (have|go by|carry|use)?
      (what do you|what does the network|how do others|how do you) call this (computer|machine|pc|laptop|device)?
      (what is|what's) (my computer|my machine|my laptop|this pc|the computer|this laptop|this device|this host) (called|named)?
      i forgot (what this computer is called|the name of my computer|the hostname|my computer's name)
      (does|has) this (computer|machine|pc) (have|got) a name? (what is it|which|tell me)?
      (under|by) what name is this (computer|machine|pc) (known|found|listed) (in|on) the network?
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
      ! (print|get|look up|find out|output) (the uptime|how long the computer has been running|how long this machine is on|the time since the last boot)
      (need|i need|i want|gimme|got to know) (the uptime|the running time of the computer|how long the computer is running)( please|)
      (uptime|up time|system uptime|running time|time since boot|time since the last restart)( please|)?
      (when|how long ago) (did|was) (this computer|the machine|my pc|the pc|my laptop) (boot|start|restart|last rebooted|last restarted|turned on|switched on)?
      (mind checking|care to check|would like to know) (the uptime|how long my computer has been on)
      (has|have) (this computer|my pc|the machine|my laptop) been (running|on|up) (long|for days|all night|for a while)?
      (what was|what is|when was) the (last restart|last boot|last reboot|last start|boot time)( of this computer| of my pc|)?
      (for how long|how long already|how long now) (has|is) (this pc|my laptop|the pc|the system|this system) (been running|running|on|up|been up)?
      how much time (has passed|is it|went by) since (the last boot|the last reboot|the computer started|the restart)?
      computer: (uptime|running how long|on for how long|how long on)( please|)?
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
      ! (print|get|look up|find out|output) (the os|the operating system|the kernel version|what system this is|what os this is)
      (need|i need|i want|gimme|got to know) (the os|the name of the operating system|the kernel version|the kernel release)( please|)
      (operating system|os|os version|kernel|kernel version|system version|os name|kernel release)( please|)?
      (mind telling me|care to tell me|would like to know) (which os this is|what kernel i have|the operating system)
      (which|what) (release|version) of (the kernel|the operating system|the os|linux) (is this|do i have|am i using|is running|is installed)?
      (what kind of|what sort of|what type of|which sort of) (system|operating system|os) (is this|is it|do we have|runs here|is this computer using)?
      (what does|what is) (this computer|this machine|my pc|my laptop) (run|running|running as its os|run as operating system)?
      (what is|what's) (installed as operating system|the system|the os called|the os here|the platform|the os version)( on this computer| here|)?
      (how new|how old|how recent) is (my|the|this) (kernel|operating system|os)?
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
      ! (print|get|look up|find out|output|see) (which version of {program} i have|the {program} version|what version {program} is|the version number of {program})
      (need|i need|i want|gimme|got to know) (the version of {program}|the {program} version|{program}'s version|the version number of {program})( please|)
      (version of {program}|version: {program}|{program} version number|{program} release|installed {program} version)( please|)?
      {program}: (which version|what version|version|installed or not|version number|is it installed)( please|)?
      (mind checking|care to check|would like to know) (the version of {program}|which {program} i have|if {program} is installed)
      (have i|have we|did i|did we) (got|have|installed|install|already got) {program}( here| on this computer| already|)?
      (which|what) {program} (do i have|is installed|is it|am i running|am i on|have i got|version do i run|is running here)?
      (can i|could i|may i) use {program} (here|on this computer|on this machine)? (which version|is it installed)?
      (is|was) {program} (already |ever |)(set up|installed on this computer|installed on here|present|on this computer)?
      (how recent|how up to date|how current|how outdated) is (my|the|this) {program}( here|)?
      (at|on) (what|which) version (am i with|are we with|is my|is the) {program}?
      does this (computer|machine|pc|laptop) have {program}( on it| installed|)?
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
      ! (print|get|look up|find out|output) (the number of lines in {path}|how many lines are in {path}|the lines in {path} as a number)
      (need|i need|i want|gimme|got to know) (the number of lines|how many lines there are|the count of lines|the line number) (in|of) {path}( please|)
      (lines in|number of lines in|line count for|count lines|count of lines in|lines of) {path}( please|)?
      {path}: (how many lines|number of lines|line count|count the lines|lines)( please|)?
      (mind counting|care to count|would like to know) (the lines|how many lines there are) (in|of) {path}
      {path} (has|contains|consists of|is made of) how many lines?
      how many (lines|rows|lines of text) (are there|do you count|can you count|do i have|are contained|do we have|are written) in {path}?
      (does|has) {path} (have|got) (many|a lot of|more than a hundred) lines? how many?
      (add up|tally|total) the (lines|rows) (in|of) {path}( please|)
      wc {path}
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
      ! (print|get|look up|find out|output|see|measure) (the size of|how large|the total size of|how much space is taken by) (the folder |){folder}
      (need|i need|i want|gimme|got to know) (the size|the total size|the disk usage|the megabytes) of (the folder |){folder}( please|)
      (size of|folder size|total size of|disk usage of|space used by|megabytes in|size) {folder}( please|)?
      {folder}: (how big|how large|size|how many megabytes|how much space|folder size|what size)( please|)?
      (mind checking|care to check|would like to know) (the size of|how big is|how much space is used by) (the folder |){folder}
      {folder} (is|takes|uses|needs|weighs in at) how (big|much space|many megabytes|much|much room)?
      how (many|much) (megabytes|gigabytes|mb|gb|disk space|storage|room) (does|do) (the folder |){folder} (have|take up|eat|use up|occupy|fill)?
      (what size|which size) (is|has|does) (the folder |){folder}( have|)?
      (is|has) (the folder |){folder} (grown big|very big|getting too big|large|small|huge)? (what size is it|how big is it|how much)?
      (how much|how many mb) (is in|is taken by|is used by|is stored in|would i free by removing) (the folder |){folder}?
      du {folder}
      ---
      ! (report|determine) the (size|weight) of {folder}
      how heavy is {folder}?
      the size of {folder}, please`),
  },
]
