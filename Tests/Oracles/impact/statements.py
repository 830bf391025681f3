"""Random SELECT statements over ten tables, in four dialects. They run in DuckDB on tables of `TABLES`."""
import random

TABLES = {
    "search__show": ["event_name", "user_id", "position", "query", "session_id", "score"],
    "search__tap": ["event_name", "user_id", "position", "recipe_id", "session_id"],
    "recipe__view": ["event_name", "user_id", "recipe_id", "dwell", "source"],
    "users": ["id", "name", "country", "age", "plan_id"],
    "recipes": ["id", "title", "author_id", "rating", "category"],
    "plans": ["id", "title", "price"],
    "wide": ["event_name", "user_id", "position", "title", "dwell", "amount"],
    "sessions": ["session_id", "user_id", "length", "platform"],
    "authors": ["id", "name", "followers"],
    "purchases": ["user_id", "plan_id", "amount", "currency", "day_number"],
}
STRINGS = {"event_name", "query", "source", "name", "country", "title", "category", "platform", "currency"}


class Generator:
    def __init__(self, seed, dialect):
        self.random = random.Random(seed)
        self.dialect = dialect
        self.count = 0
        self.qualifies = False

    def fresh(self, prefix):
        self.count += 1
        return f"{prefix}{self.count}"

    def chance(self, probability):
        return self.random.random() < probability

    # A relation in scope: (alias, [(column, isString)])
    def statement(self):
        ctes, parts = [], []
        for _ in range(self.random.choice([0, 0, 1, 1, 2, 3])):
            name = self.random.choice(["source", "base", "renamed", "joined", "final_rows", "search__show"])
            name = name if name not in [c[0] for c in ctes] and self.chance(0.6) else self.fresh("cte")
            sql, columns = self.query(2, ctes, [])
            if self.chance(0.15):
                columns = [(self.fresh("k"), kind) for _, kind in columns]
                parts.append(f"{name}({', '.join(c for c, _ in columns)}) AS ({sql})")
            else:
                parts.append(f"{name} AS ({sql})")
            ctes.append((name, columns))
        sql, _ = self.query(2, ctes, [])
        return (f"WITH {', '.join(parts)} " if parts else "") + sql

    def query(self, depth, ctes, outer):
        if depth > 0 and self.chance(0.15):
            left, columns = self.select(depth - 1, ctes, outer, named=True)
            right = self.matching(depth - 1, ctes, outer, columns)
            operator = self.random.choice(["UNION ALL", "UNION ALL", "INTERSECT", "EXCEPT", "UNION"])
            if operator == "UNION" and self.dialect == "bigquery":
                operator = "UNION DISTINCT"
            if operator in ("INTERSECT", "EXCEPT") and self.dialect == "bigquery":
                operator += " DISTINCT"
            return f"{left} {operator} {right}", columns
        return self.select(depth, ctes, outer)

    def matching(self, depth, ctes, outer, columns):
        relations, sql = self.relations(depth, ctes, outer, 1)
        items = [self.expression(relations, kind, 1, depth, ctes, outer) for _, kind in columns]
        return f"SELECT {', '.join(items)} FROM {sql}" + self.where(relations, depth, ctes, outer)

    def relation(self, depth, ctes, outer, scope):
        choice = self.random.random()
        if depth > 0 and choice < 0.22:
            sql, columns = self.query(depth - 1, ctes, outer)
            alias = self.fresh("q")
            return f"({sql}) {self.random.choice(['AS ', ''])}{alias}", (alias, columns)
        if ctes and choice < 0.6:
            name, columns = self.random.choice(ctes)
        else:
            name = self.random.choice(list(TABLES))
            if name in [c[0] for c in ctes]:
                name = "users"
            columns = [(c, c in STRINGS) for c in TABLES[name]]
        if name in [a for a, _ in scope] or self.chance(0.6):
            alias = self.fresh("t")
            return f"{name} {self.random.choice(['AS ', ''])}{alias}", (alias, columns)
        return name, (name, columns)

    def relations(self, depth, ctes, outer, limit=3):
        first, relation = self.relation(depth, ctes, outer, [])
        scope, sql = [relation], first
        for _ in range(self.random.choice([0, 0, 1, 1, 2][: limit + 2])):
            text, relation = self.relation(depth, ctes, outer, scope)
            common = [c for c, k in relation[1] if any(c in [n for n, _ in r[1]] for r in scope)]
            names = [c for r in scope for c, _ in r[1]]
            common = [c for c in common if names.count(c) == 1 and [n for n, _ in relation[1]].count(c) == 1]
            kinds = {c: k for r in scope for c, k in r[1]}
            common = [c for c in common if kinds.get(c) == dict(relation[1]).get(c)]
            join = self.random.choice(["JOIN", "LEFT JOIN", "INNER JOIN", "FULL OUTER JOIN", "RIGHT JOIN"])
            if common and self.chance(0.25) and len(scope) == 1:
                # The column of USING is not qualified.
                sql += f" {join} {text} USING ({self.random.choice(common)})"
                scope.append(relation)
            elif self.chance(0.15):
                sql += f" CROSS JOIN {text}" if self.chance(0.5) else f", {text}"
                scope.append(relation)
                # After a comma, ON cannot see the relations before it.
                break
            else:
                scope.append(relation)
                # A name that is unique in one relation can be ambiguous in the join.
                self.qualifies = True
                left, right = self.column([scope[self.random.randrange(len(scope) - 1)]], False), self.column([relation], False)
                condition = f"{left} = {right}"
                if self.chance(0.2):
                    condition += f" AND {self.condition([relation], 0, ctes, outer)}"
                self.qualifies = False
                sql += f" {join} {text} ON {condition}"
        return scope, sql

    def select(self, depth, ctes, outer, named=False):
        scope, source = self.relations(depth, ctes, outer)
        names = [c for r in scope for c, _ in r[1]]
        has_using = "USING" in source
        if not named and self.chance(0.22) and len(scope) == 1:
            return self.star(scope, source, depth, ctes, outer)
        if not named and self.chance(0.2):
            return self.aggregate(scope, source, depth, ctes, outer)
        items, columns = [], []
        for _ in range(self.random.choice([1, 2, 3, 4])):
            kind = self.chance(0.3)
            if self.chance(0.55):
                relation = self.random.choice(scope)
                column, kind = self.random.choice(relation[1])
                if column in [c for c, _ in columns]:
                    continue
                text = column if names.count(column) == 1 and self.chance(0.6) else f"{relation[0]}.{column}"
                if named or self.chance(0.3):
                    alias = self.fresh("c")
                    items.append(f"{text} {self.random.choice(['AS ', ''])}{alias}")
                    columns.append((alias, kind))
                else:
                    items.append(text)
                    columns.append((column, kind))
            else:
                alias = self.fresh("c")
                items.append(f"{self.expression(scope, kind, 2, depth, ctes, outer)} AS {alias}")
                columns.append((alias, kind))
        if not items:
            items, columns = ["1 AS one"], [("one", False)]
        if self.chance(0.2):
            alias = self.fresh("w")
            items.append(f"{self.window(scope)} AS {alias}")
            columns.append((alias, False))
        distinct = "DISTINCT " if self.chance(0.1) else ""
        sql = f"SELECT {distinct}{', '.join(items)} FROM {source}" + self.where(scope, depth, ctes, outer)
        if not distinct and self.chance(0.1) and self.dialect != "postgres":
            sql += f" QUALIFY {self.window(scope, 'ROW_NUMBER()')} = 1"
        if not named and depth == 2 and self.chance(0.3) and not outer:
            sql += f" ORDER BY {self.random.choice([c for c, _ in columns])}"
        return sql, columns

    def star(self, scope, source, depth, ctes, outer):
        alias, columns = scope[0]
        text = "*" if self.chance(0.7) else f"{alias}.*"
        if len(columns) > 1 and self.chance(0.35) and len({c for c, _ in columns}) == len(columns):
            column = self.random.choice(columns)
            word = {"bigquery": "EXCEPT", "spark": "EXCEPT"}.get(self.dialect, "EXCLUDE")
            text = f"* {word} ({column[0]})"
            columns = [c for c in columns if c != column]
        elif self.chance(0.3):
            name = self.fresh("c")
            text += f", {self.expression(scope, False, 1, depth, ctes, outer)} AS {name}"
            columns = columns + [(name, False)]
        return f"SELECT {text} FROM {source}" + self.where(scope, depth, ctes, outer), columns

    def aggregate(self, scope, source, depth, ctes, outer):
        key, kind = self.typed(scope, self.chance(0.5))
        alias, total = self.fresh("g"), self.fresh("n")
        function = self.random.choice(["COUNT(*)", "SUM({})", "MAX({})", "COUNT(DISTINCT {})", "MIN({} + 1)"])
        items = f"{key} AS {alias}, {function.format(self.column(scope, False))} AS {total}"
        sql = f"SELECT {items} FROM {source}" + self.where(scope, depth, ctes, outer)
        sql += f" GROUP BY {key if self.chance(0.5) else '1'}"
        if self.chance(0.3):
            sql += f" HAVING MAX({self.column(scope, False)}) > {self.random.randrange(3)}"
        return sql, [(alias, kind), (total, False)]

    def window(self, scope, function=None):
        function = function or self.random.choice(
            ["ROW_NUMBER()", "SUM({})", "LAG({})", "COUNT(*)", "MAX({})"]).format(self.column(scope, False))
        partition = f"PARTITION BY {self.typed(scope, self.chance(0.3))[0]} " if self.chance(0.7) else ""
        return f"{function} OVER ({partition}ORDER BY {self.typed(scope, False)[0]})"

    def where(self, scope, depth, ctes, outer):
        if self.chance(0.45):
            return ""
        parts = [self.condition(scope, depth, ctes, outer) for _ in range(self.random.choice([1, 1, 2]))]
        return " WHERE " + self.random.choice([" AND ", " AND ", " OR "]).join(parts)

    def condition(self, scope, depth, ctes, outer):
        choice = self.random.random()
        if depth > 0 and choice < 0.25:
            # Correlated: the subquery's scope sees this one.
            inner, source = self.relations(0, ctes, [])
            inner_column, outer_column = self.column(inner, False, True), self.column(scope, False, True)
            if choice < 0.15:
                negation = self.random.choice(["", "NOT "])
                return f"{negation}EXISTS (SELECT 1 FROM {source} WHERE {inner_column} = {outer_column})"
            return f"{outer_column} IN (SELECT {inner_column} FROM {source})"
        if choice < 0.5:
            column = self.typed(scope, True)[0]
            return self.random.choice([f"{column} = 'show'", f"{column} IN ('show', 'tap')", f"{column} LIKE 's%'"])
        if choice < 0.6:
            return f"{self.column(scope, False)} BETWEEN 0 AND {self.column(scope, False)}"
        if choice < 0.7:
            return f"{self.column(scope, False)} IS NOT NULL"
        return f"{self.column(scope, False)} {self.random.choice(['<', '>', '<>'])} {self.random.randrange(5)}"

    def typed(self, scope, kind):
        if not any(k == kind for r in scope for _, k in r[1]):
            return ("'x'", True) if kind else ("1", False)
        while True:
            relation = self.random.choice(scope)
            column, found = self.random.choice(relation[1])
            if found == kind:
                names = [c for r in scope for c, _ in r[1]]
                is_unique = names.count(column) == 1
                return (column if is_unique and not self.qualifies and self.chance(0.5) else f"{relation[0]}.{column}"), kind

    def column(self, scope, kind, is_qualified=False):
        for _ in range(8):
            text, _ = self.typed(scope, kind)
            if not is_qualified or "." in text:
                return text
        return "1"

    def expression(self, scope, kind, level, depth, ctes, outer):
        choice = self.random.random()
        if depth > 0 and choice < 0.08:
            inner, source = self.relations(0, ctes, [], 1)
            inner_column, outer_column = self.column(inner, False, True), self.column(scope, False, True)
            value = self.typed(inner, kind)[0]
            return f"(SELECT MAX({value}) FROM {source} WHERE {inner_column} = {outer_column})"
        if kind:
            if choice < 0.5 or level == 0:
                return self.typed(scope, True)[0]
            if choice < 0.7:
                return f"UPPER({self.typed(scope, True)[0]})"
            if choice < 0.8:
                return f"COALESCE({self.typed(scope, True)[0]}, 'none')"
            return f"CASE WHEN {self.condition(scope, 0, ctes, outer)} THEN {self.typed(scope, True)[0]} ELSE 'x' END"
        if choice < 0.4 or level == 0:
            return self.column(scope, False)
        if choice < 0.6:
            return f"{self.column(scope, False)} + {self.expression(scope, False, level - 1, 0, ctes, outer)}"
        if choice < 0.7:
            return f"CASE WHEN {self.condition(scope, 0, ctes, outer)} THEN {self.column(scope, False)} ELSE 0 END"
        if choice < 0.8:
            kind_name = {"bigquery": "INT64", "spark": "INT"}.get(self.dialect, "INTEGER")
            return f"CAST({self.column(scope, False)} AS {kind_name})"
        if choice < 0.9 and self.dialect in ("duckdb", "snowflake"):
            return f"{self.column(scope, False)}::INTEGER"
        return f"ABS({self.column(scope, False)})"
