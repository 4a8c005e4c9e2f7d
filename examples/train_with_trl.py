"""Train a model on causal worlds with TRL's GRPO.

    pip install causarium causarium-train "trl>=1.16" "transformers>=5.2" datasets jmespath
    python examples/train_with_trl.py --model Qwen/Qwen3-0.6B --family causallink --level rung-2

The model plays with tools: TRL builds them from the level's actions and reads the reward when an
episode is over.
"""

import argparse

from causarium_train.trl_environment import environment
from datasets import Dataset
from trl import GRPOConfig, GRPOTrainer  # type: ignore[import-not-found]

PROMPT = [{"role": "user", "content": "Play this to its end, by calling tools.\n\n"}]


def main() -> None:
    """Train and save."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--model", default="Qwen/Qwen3-0.6B")
    options.add_argument("--family", default="causallink")
    options.add_argument("--level", default="rung-2")
    options.add_argument("--instances", type=int, default=256)
    options.add_argument("--steps", type=int, default=100)
    options.add_argument("--tokens", type=int, default=2048, help="of one attempt, at most")
    options.add_argument("--out", default="trained")
    options.add_argument("--cpu", action="store_true", help="train without an accelerator")
    given = options.parse_args()
    rows = [{"prompt": PROMPT, "index": index} for index in range(given.instances)]
    trainer = GRPOTrainer(
        model=given.model,
        train_dataset=Dataset.from_list(rows),
        environment_factory=environment(given.family, level=given.level),
        args=GRPOConfig(
            output_dir=given.out,
            max_steps=given.steps,
            num_generations=8,
            max_completion_length=given.tokens,
            max_tool_calling_iterations=16,
            use_cpu=given.cpu,
        ),
    )
    trainer.train()
    trainer.save_model(given.out)


if __name__ == "__main__":
    main()
