"""
Writes what is known of a model beside it: python3 manifest.py RUN MODEL.gguf OUT.json [--scores SCORES.json]

RUN is the folder of a training run; the scores are the file of `npm run -s eval:builtin -- --scores FILE`: as the product asks, and free.
"""

import argparse
import hashlib
import json
from pathlib import Path

from checkpoint import load
from model import count_parameters
from shards import rows_of


def describe(run, model, scores):
    """What was trained, on what, for how long, and how good it is."""
    content, shape = load(run / 'best.pt')
    pieces = json.loads((run / 'pieces.json').read_text())
    settings = json.loads((run / 'settings.json').read_text())
    curve = [
        {'tokens': row['tokens'], **{split: row[split]['exact'] for split in ('id', 'test') if split in row}}
        for row in rows_of(run / 'curve.jsonl')
    ]
    return {
        'name': 'talaria-mini',
        'file': model.name,
        'sha256': hashlib.sha256(model.read_bytes()).hexdigest(),
        'parameters': count_parameters(content['weights']),
        'shape': shape.as_dict(),
        'promptHash': pieces['promptHash'],
        'toolsHash': pieces['toolsHash'],
        'seed': settings['seed'],
        'dataSeed': settings['data_seed'],
        'tokens': content['state']['tokens'],
        'steps': content['state']['steps'],
        'minutes': round(content['state']['seconds'] / 60, 1),
        'scores': scores,
        'curve': curve,
    }


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('run', type=Path)
    parser.add_argument('model', type=Path)
    parser.add_argument('out', type=Path)
    parser.add_argument('--scores', type=Path)
    given = parser.parse_args()
    scores = json.loads(given.scores.read_text().strip().split('\n')[-1]) if given.scores else None
    given.out.write_text(json.dumps(describe(given.run, given.model, scores), indent=2) + '\n')


if __name__ == '__main__':
    main()
