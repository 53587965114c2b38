#!/bin/sh
# Everything from the generator to the shipped model: tokenizer, training, export, parity, evaluation, manifest.
#   sh training/run.sh WORK-FOLDER [MINUTES] [THREADS]
# Every step that is done is left out when it is run again, and training goes on from its last checkpoint.
set -eu
export PYTHONDONTWRITEBYTECODE=1

work=$(mkdir -p "${1:?Usage: sh training/run.sh WORK-FOLDER [MINUTES] [THREADS]}" && cd "$1" && pwd)
minutes=${2:-180}
threads=${3:-1}
cd "$(dirname "$0")/.."
export PATH="$PWD/node_modules/.bin:$PATH"
python=${PYTHON:-/usr/bin/python3}
run=$work/run
model=resources/models/talaria-mini

say() { printf '%s %s\n' "$(date +%H:%M:%S)" "$*" >&2; }

if [ ! -e "$work/tokenizer.model" ]; then
  say "the tokenizer"
  node training/generate/index.ts --pieces "$work/pieces.json"
  node training/generate/index.ts --split train --seed 1 --count 20000 --out "$work/sample.jsonl"
  "$python" training/make_tokenizer.py "$work/sample.jsonl" "$work/pieces.json" "$work/tokenizer.model"
fi

if [ ! -e "$work/trained" ]; then
  say "training for $minutes minutes"
  mkdir -p "$run"
  [ -e "$run/pieces.json" ] || node training/generate/index.ts --pieces "$run/pieces.json"
  # The model that ships knows most of it; a changed prompt is learned much faster than everything from nothing.
  warm=""
  [ -n "${FRESH:-}" ] || [ ! -e "$model.gguf" ] || warm="--warm $model.gguf"
  # shellcheck disable=SC2086 -- two words, or none
  "$python" training/train.py "$run" --tokenizer "$work/tokenizer.model" --shards "$work/shards" \
    --minutes "$minutes" --threads "$threads" $warm
  touch "$work/trained"
fi

say "export and parity"
[ -e "$work/words.json" ] || node training/generate/index.ts --words "$work/words.json" --seed 500 --count 12000
"$python" training/export.py "$run/best.pt" "$work/exact.gguf" --type F32
"$python" training/export.py "$run/best.pt" "$work/talaria-mini.gguf" --type Q8_0 --words "$work/words.json"
"$python" training/parity.py "$work/exact.gguf" "$run/best.pt" "$run/test.jsonl" --near 0.01
"$python" training/parity.py "$work/talaria-mini.gguf" "$run/best.pt" "$run/test.jsonl" --near 0.5

say "evaluation"
node evals/builtin/index.ts --speed --scores "$work/scores.json" --model "$work/talaria-mini.gguf"
"$python" training/manifest.py "$run" "$work/talaria-mini.gguf" "$work/talaria-mini.json" --scores "$work/scores.json"
cp "$work/talaria-mini.gguf" "$model.gguf"
cp "$work/talaria-mini.json" "$model.json"
say "$model.gguf and $model.json are new"
tail -n 1 "$work/scores.json"
