"""Turn a GGUF file into a folder that `--model local-hf:FOLDER` and the training example can load.

    python examples/convert_gguf.py FILE.gguf FOLDER

The weights are made wide again (bfloat16). A tokenizer of scored pieces (Gemma's, Llama 2's) comes
out of Transformers without its merges and would spell every word; it is built anew from the scores.
A model without a chat template, a base model, gets a plain transcript. Needs torch, Transformers,
accelerate, gguf and causarium-local.
"""

import argparse
import sys
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from causarium.errors import BadFile, UsageError
from causarium_local.open_weights import OpenWeights

TRANSCRIPT = (
    "{{ bos_token }}{% for m in messages %}{{ m.role | capitalize }}:\n{{ m.content }}\n\n"
    "{% endfor %}{% if add_generation_prompt %}Assistant:\n{% endif %}"
)
"""How a model that knows no roles is shown a conversation."""
SPACE = "▁"
SCORED = "llama"
"""What a GGUF file calls a tokenizer of scored pieces, Gemma's too."""
NEEDED = ("torch", "transformers", "accelerate", "gguf")
CONTROL, OWN = 3, 4
"""Kinds of pieces in a GGUF file: marks of the format, and words that someone added."""


def convert_weights(file: Path, folder: Path) -> None:
    """Write the model's weights and configuration, as if they had never been quantized."""
    import torch
    from transformers import AutoConfig, AutoModelForCausalLM

    place = {"pretrained_model_name_or_path": str(file.parent), "gguf_file": file.name}
    narrow = AutoModelForCausalLM.from_pretrained(**place, dtype=torch.bfloat16)
    with torch.device("meta"):
        wide = AutoModelForCausalLM.from_config(AutoConfig.from_pretrained(**place))
    wide.load_state_dict(narrow.state_dict(), assign=True)
    wide.tie_weights()
    wide.save_pretrained(folder)


def read_tokenizer(file: Path) -> Any:
    """Return a file's tokenizer, with merges and a template."""
    import gguf
    from transformers import AutoTokenizer

    fields = gguf.GGUFReader(file).fields
    if fields["tokenizer.ggml.model"].contents() == SCORED:
        tokenizer = build_tokenizer(fields)
    else:
        tokenizer = AutoTokenizer.from_pretrained(str(file.parent), gguf_file=file.name)
    if template := fields.get("tokenizer.chat_template"):
        tokenizer.chat_template = template.contents()
    tokenizer.chat_template = tokenizer.chat_template or TRANSCRIPT
    return tokenizer


def build_tokenizer(fields: Mapping[str, Any]) -> Any:
    """Return a tokenizer that joins pieces in the order of their scores."""
    from tokenizers import AddedToken, Tokenizer, decoders, models, normalizers, pre_tokenizers
    from transformers import PreTrainedTokenizerFast

    def read(name: str) -> Any:
        return fields[f"tokenizer.ggml.{name}"].contents()

    pieces, scores, kinds = read("tokens"), read("scores"), read("token_type")
    places = {piece: place for place, piece in enumerate(pieces)}
    merges = sorted(
        (
            (-scores[place], place, cut)
            for piece, place in places.items()
            if kinds[place] not in (CONTROL, OWN)
            for cut in range(1, len(piece))
            if piece[:cut] in places and piece[cut:] in places
        )
    )
    joined = [(pieces[place][:cut], pieces[place][cut:]) for _, place, cut in merges]
    unknown = pieces[read("unknown_token_id")]
    words = Tokenizer(
        models.BPE(places, joined, unk_token=unknown, fuse_unk=True, byte_fallback=True)
    )
    prefix = fields.get("tokenizer.ggml.add_space_prefix")
    begins = [] if prefix and not prefix.contents() else [normalizers.Prepend(SPACE)]
    words.normalizer = normalizers.Sequence([*begins, normalizers.Replace(" ", SPACE)])
    words.pre_tokenizer = pre_tokenizers.Split(" ", "merged_with_previous")
    ends = [decoders.Strip(" ", 1, 0)] if begins else []
    words.decoder = decoders.Sequence(
        [decoders.Replace(SPACE, " "), decoders.ByteFallback(), decoders.Fuse(), *ends]
    )
    marks = [
        (piece, kinds[place]) for piece, place in places.items() if kinds[place] in (CONTROL, OWN)
    ]
    words.add_special_tokens(
        [AddedToken(p, normalized=False) for p, kind in marks if kind == CONTROL]
    )
    words.add_tokens([AddedToken(p, normalized=False) for p, kind in marks if kind == OWN])
    begin, end = pieces[read("bos_token_id")], pieces[read("eos_token_id")]
    return PreTrainedTokenizerFast(
        tokenizer_object=words, bos_token=begin, eos_token=end, pad_token=end, unk_token=unknown
    )


def main() -> None:
    """Convert one file."""
    reader = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    reader.add_argument("file", type=Path)
    reader.add_argument("folder", type=Path)
    given = reader.parse_args()
    if not given.file.is_file():
        raise BadFile(f"there is no file {given.file}")
    if missing := [name for name in NEEDED if find_spec(name) is None]:
        raise UsageError(f"this needs {' and '.join(missing)}: pip install {' '.join(missing)}")
    convert_weights(given.file, given.folder)
    read_tokenizer(given.file).save_pretrained(given.folder)
    OpenWeights.load(given.folder)  # refuses a tokenizer that spells
    print(f"{given.folder}: give it as --model local-hf:{given.folder}")


if __name__ == "__main__":
    try:
        main()
    except UsageError as wrong:
        sys.exit(str(wrong))
