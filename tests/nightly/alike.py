"""Changes of a module that are none: by what they are, and whatever the line is for, the program does the same.

Each rule writes what it takes for the same in one way: a change that is gone then is left out of the draw. What is the
same for another reason stays a survivor, which somebody reads. (`is` with a number is none of Cosmic Ray's changes.)
"""

from __future__ import annotations

import ast
from typing import Any

# A number that stands for one of two sides, which are 0 and 1, has one of these names.
SIDE = {"side", "bidder", "loser", "winner"}


class NoAnnotations(ast.NodeTransformer):
    """Types, which mypy looks at, and nothing computes with."""

    def visit_arg(self, node: ast.arg) -> ast.AST:
        node.annotation = None
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        node.returns = None
        return self.generic_visit(node)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        node.annotation = ast.Constant("")
        return self.generic_visit(node)


class AnyParameters(ast.NodeTransformer):
    """How parameters may be given: the `*` between them is no multiplication. mypy looks at every call."""

    def visit_arguments(self, node: ast.arguments) -> ast.AST:
        before = [*node.posonlyargs, *node.args]
        missing = ast.Constant("no default")
        defaults = [missing] * (len(before) - len(node.defaults)) + node.defaults
        defaults += [default or missing for default in node.kw_defaults]
        node.posonlyargs, node.args, node.kwonlyargs = [], [*before, *node.kwonlyargs], []
        node.defaults, node.kw_defaults = defaults, []
        return self.generic_visit(node)


class OtherSide(ast.NodeTransformer):
    """`1 ^ side` and `1 >> side` for `1 - side`: of 0 it is 1, of 1 it is 0."""

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        match node:
            case ast.BinOp(
                left=ast.Constant(value=1),
                op=ast.BitXor() | ast.RShift(),
                right=ast.Name(id=name) | ast.Attribute(attr=name),
            ) if name in SIDE:
                node.op = ast.Sub()
        return self.generic_visit(node)


RULES: dict[str, type[ast.NodeTransformer]] = {
    "of a type": NoAnnotations,
    "of how parameters are given": AnyParameters,
    "another way to the other side": OtherSide,
}
NO_PYTHON = "no Python"


def alike(source: str, code: str) -> str:
    """Which rule says that a changed module does the same as its source, or nothing."""
    try:
        ast.parse(code)
    except SyntaxError:
        return NO_PYTHON
    return next((name for name, rule in RULES.items() if _by(rule(), source) == _by(rule(), code)), "")


def _by(rule: Any, code: str) -> str:
    return ast.dump(rule.visit(ast.parse(code)))
