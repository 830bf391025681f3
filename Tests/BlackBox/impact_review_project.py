"""The dbt project and the queries of impact_review.py."""
import re
import types

import jinja2
from impact_dbt_project import model as plain_model
from impact_dbt_project import quoted

FILES = {
    "dbt_project.yml": "name: shop\nversion: 1.0.0\nconfig-version: 2\nprofile: logs\nmacro-paths: [macros]\n",
    "macros/columns.sql": """{% macro cents(column) %}cast(100 * {{ column }} as integer){% endmacro %}

{% macro per_position() %}(price / position){% endmacro %}

{% macro events_of(category, name) %}(select * from {{ source('logs', category) }} where event_name = '{{ name }}'){% endmacro %}

{% macro listed(names) %}{% for name in names %}{{ name }}{% if not loop.last %}, {% endif %}{% endfor %}{% endmacro %}
""",
    "models/models.yml": """version: 2
groups:
  - name: growth
    owner: {name: Growth, email: growth@example.com}
models:
  - name: show_of_category
    columns: [{name: query, tests: [not_null]}]
  - name: items
    columns: [{name: item, tests: [not_null, unique]}]
exposures:
  - {name: ctr, type: dashboard, depends_on: ["ref('search_ctr')"], owner: {name: Ana, email: ana@example.com}}
  - {name: history, type: notebook, depends_on: ["ref('item_history')"], owner: {email: ben@example.com}}
  - {name: raw, type: notebook, depends_on: ["source('logs', 'shop__buy')"], owner: {name: Raw, email: raw@example.com}}
""",
    "tests/positive.sql": "select * from {{ source('logs', 'search__show') }} where position < 2\n",
}
SOURCE_TESTS = {
    "search__show": "columns: [{name: query, tests: [not_null]}, {name: order, quote: true, tests: [accepted_values: "
                    "{values: [newest, popular]}]}]",
    "shop__buy": "columns: [{name: item, tests: [relationships: {to: \"source('logs', 'shop__view')\", field: item}]}]",
}
# Models by name, each after those that it reads.
MODELS = {
    "show_of_category": "select * from {{ source('logs', 'search') }} where event_name = 'show'\n",
    "tap_of_category": "{{ config(group='growth') }}\nselect event_id, occurred_at, query, position, item, dwell\n"
                       "from {{ source('logs', 'search') }} where event_name = 'tap'\n",
    "buy_of_records": "select * from {{ source('logs', 'records') }} where event_category = 'shop' and event_name = 'buy'\n",
    "view_of_records": "select item, source, seconds, user_id from {{ source('logs', 'records') }} where event_name in ('view')\n",
    "shop_events": "select event_name, item, count(*) as n from {{ source('logs', 'shop') }} group by all\n",
    "events_by_day": "select date_trunc('day', occurred_at) as day, event_category, count(*) as n, count(distinct user_id) as users\n"
                     "from {{ source('logs', 'records') }} group by 1, 2\n",
    "estimates": "select event_name, sum(1 / coalesce(sampling_rate, 1)) as n from {{ source('logs', 'records') }} group by 1\n",
    "search_ctr": "{{ config(materialized='table') }}\nwith shows as (select query, count(*) as shows, avg(position) as rank from "
                  "{{ ref('show_of_category') }} group by 1),\n"
                  "    taps as (select query, count(*) as taps from {{ ref('tap_of_category') }} group by query)\n"
                  "select shows.query, shows, rank, coalesce(taps, 0) as taps from shows left join taps using (query)\n",
    "ratios": "select event_id, {{ per_position() }} as ratio from {{ source('logs', 'search__show') }}\n",
    "of_macro": "select item, {{ cents('price') }} as cents from {{ events_of('shop', 'buy') }} as b\n",
    "macro_list": "select {{ listed(['query', 'dwell']) }} from {{ source('logs', 'search__tap') }}\n",
    "looped": "select {% for name in ['coupon', 'item'] %}count(distinct {{ name }}) as {{ name }}s{{ ',' if not loop.last }}\n"
              "{% endfor %} from {{ source('logs', 'shop__buy') }}\n",
    "prices_seen": "{{ config(materialized='ephemeral') }}\nselect item, max(price) as price from {{ source('logs', 'search__show') }} group by item\n",
    "items": "select item, p.price, v.seconds from {{ ref('prices_seen') }} p\nfull join (select item, sum(seconds) as seconds from "
             "{{ ref('view_of_records') }} group by item) v using (item)\n",
    "incremental_taps": "{{ config(materialized='incremental', unique_key='event_id') }}\nselect event_id, occurred_at, item\n"
                        "from {{ source('logs', 'search__tap') }}\n{% if is_incremental() %}where occurred_at >= "
                        "(select max(occurred_at) from {{ this }}) or dwell > 1{% endif %}\n",
    "incremental_star": "{{ config(materialized='incremental', unique_key='event_id') }}\nselect * from {{ source('logs', 'shop__buy') }}\n",
    "latest_buys": "select * exclude (event_id, occurred_at), 1 as one from {{ ref('incremental_star') }}\n",
    "by_name": "select * from {{ source('logs', 'search__show') }}\nunion all by name\nselect * from {{ source('logs', 'search__tap') }}\n",
    "by_position": "select * from {{ ref('view_of_records') }}\nunion all\nselect item, reason, quantity, user_id from {{ source('logs', 'shop__refund') }}\n",
    "hard_coded": "select count(*) filter (position < 3) as top from main.search__show\n",
    "from_first": "from {{ source('logs', 'shop__refund') }}\n",
    "from_first_again": "from {{ ref('from_first') }} where quantity > 1\n",
    "natural": "select item, seconds, quantity from {{ source('logs', 'shop__view') }} natural join "
               "(select item, quantity from {{ source('logs', 'shop__refund') }})\n",
    "logins": "select method, trial, count(*) as n, max(since) as last from {{ source('logs', 'profile__login') }} group by all\n",
    "by_alias": "select upper(field) as place, count(*) as n from {{ source('logs', 'profile__update') }} group by place\n",
    "packed": "select u.field, u as whole from {{ source('logs', 'profile__update') }} as u\n",
    "rows_of_shows": "select s as whole, s.query from {{ ref('show_of_category') }} as s\n",
    "as_json": "select to_json(b) as text from {{ ref('buy_of_records') }} b\n",
    "matching": "select columns('.*e.*') from {{ ref('buy_of_records') }}\n",
    "natural_of_models": "select item, reason, seconds from {{ ref('from_first') }} natural join {{ ref('view_of_records') }}\n",
    "refunds_and_views": "from {{ ref('from_first') }} union all by name from {{ ref('view_of_records') }}\n",
    "imported": "with buys as (select * from {{ ref('buy_of_records') }}), days as (select day from {{ ref('events_by_day') }})\n"
                "select item, price from buys where occurred_at::date in (select day from days)\n",
    "distinct_shows": "with shows as (select distinct * exclude (event_id, occurred_at) from {{ ref('show_of_category') }})\n"
                      "select query, count(*) as n from shows group by query\n",
    "grouped_shows": "with shows as (select * exclude (event_id, occurred_at), count(*) as n from {{ ref('show_of_category') }} group by all)\n"
                     "select query, count(*) as n from shows group by query\n",
    "unpacked": "select field, whole.length as length from {{ ref('packed') }}\n",
}
SNAPSHOTS = {
    "prices": "{{ config(unique_key='event_id', strategy='check', check_cols=['price']) }}\n"
              "select event_id, item, price from {{ source('logs', 'shop__buy') }}\n",
    "all_taps": "{{ config(unique_key='event_id', strategy='timestamp', updated_at='occurred_at') }}\n"
                "select * from {{ source('logs', 'search__tap') }}\n",
}
AFTER_SNAPSHOTS = {
    "item_history": "select item, count(*) as n, max(price) as price from {{ ref('prices') }} where dbt_valid_to is null group by item\n",
    "tap_history": "select * from {{ ref('all_taps') }} where dwell > 1\n",
}
QUERIES = {
    "board": "-- The board of the week.\nselect s.query, s.shows, t.n\nfrom search_ctr s\nleft join (select query, count(*) as n from "
             "main.search__clear group by query) t using (query)\n",
    "daily": "create view daily_shops as select occurred_at::date as day, * from shop where event_name in ('buy', 'view')\n",
    "weekly": "select day, item, sum(price) as price from daily_shops group by all\n",
    "everything": "select * from records\n",
}


def write_project(project, queries, make, random, tables, count):
    """Writes a project and queries, each with fixed and random members.

    `make` creates the relation of a name and a query, and returns its columns, or nil if the query is not usable.
    """
    sources = "".join(f"      - name: {name}\n" + (f"        {SOURCE_TESTS[name]}\n" if name in SOURCE_TESTS else "") for name in tables)
    write(project, {**FILES, "models/sources.yml": "version: 2\nsources:\n  - name: logs\n    schema: main\n    tables:\n" + sources})
    render = renderer()
    relations = [("{{ source('logs', '%s') }}" % name, columns) for name, columns in tables.items() if name.count("__")]
    shared = [("{{ source('logs', '%s') }}" % name, columns) for name, columns in tables.items() if not name.count("__")]
    for folder, models in (("models", MODELS), ("snapshots", SNAPSHOTS), ("models", AFTER_SNAPSHOTS)):
        for name, code in models.items():
            text = f"{{% snapshot {name} %}}\n{code}{{% endsnapshot %}}\n" if folder == "snapshots" else code
            write(project, {f"{folder}/{name}.sql": text})
            query = render(code)
            columns = make(name, f"select *, null::timestamp as dbt_valid_to from ({query})" if folder == "snapshots" else query)
            assert columns, f"{name} is not usable: {code}"
            relations.append(("{{ ref('%s') }}" % name, columns))
    number = 0
    while number < count:
        # A table of several events, or a relation; newer models more often, so that chains become long.
        chosen = [random.choice(relations), random.choice(relations[-25:]), random.choice(relations), random.choice(shared)]
        code = random_model(random, random.sample(chosen, 3))
        kind = random.choice(["table", "view", "view", "ephemeral"]) if random.random() < 0.5 else None
        if columns := make(f"random_{number}", render(code)):
            config = f"{{{{ config(materialized='{kind}') }}}}\n" if kind else ""
            write(project, {f"models/random_{number}.sql": config + code})
            if kind != "ephemeral":
                relations.append(("{{ ref('random_%d') }}" % number, columns))
            number += 1
    targets = {}
    for name, code in QUERIES.items():
        targets[name] = (code.split()[2] if code.startswith("create view") else name, re.sub(r"^create view \w+ as ", "", code))
    number = 0
    while number < count // 6:
        code = render(random_model(random, random.sample(relations, 2) + [random.choice(shared)]))
        if make(f"query_{number}", code):
            is_view = random.random() < 0.3
            QUERIES[f"query_{number}"] = f"create or replace view query_{number} as\n{code}" if is_view else code
            targets[f"query_{number}"] = (f"query_{number}", code)
            number += 1
    write(queries, {f"{name}.sql": code for name, code in QUERIES.items()})
    return targets


def write(folder, files):
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)


def renderer():
    """Returns a function that renders a model without dbt, on a first run."""
    environment = jinja2.Environment()
    names = {
        "config": lambda **_: "", "ref": lambda name: name, "source": lambda _, name: name, "is_incremental": lambda: False,
        "dbt": types.SimpleNamespace(safe_cast=lambda value, type: f"try_cast({value} as {type})"),
    }
    macros = FILES["macros/columns.sql"]
    return lambda code: environment.from_string(macros + code).render(names).strip().rstrip(";")


# MARK: Random models


def common_name(random, *relations):
    names = set(relations[0][1]).intersection(*(columns for _, columns in relations[1:]))
    return quoted(random.choice(sorted(names))) if names else None


def random_model(random, relations):
    """Returns a query of some relations. Many names have no table, so that a new column can make them ambiguous."""
    (one, names), (two, others), (three, thirds) = relations
    name, other = quoted(random.choice(names)), quoted(random.choice(others))
    only = [quoted(item) for item in names if item not in others] or [name]
    rest = [quoted(item) for item in others if item not in names] or [other]
    key = common_name(random, relations[0], relations[1]) or "event_id"
    left, right = random.choice(only), random.choice(rest)
    match random.randrange(20):
        case 0: return f"select {key}, {left}, count({right}) as n from {one} join {two} using ({key}) group by all\n"
        case 1: return f"select {left}, {right} from {one} a, {two} b where a.{key} = b.{key} and a.{name} is not null\n"
        case 2: return f"select * exclude ({name}) from {one}\n"
        case 3: return f"select {key}, {name} from {one}\nunion all by name\nselect {key}, {other} from {two}\n"
        case 4: return f"select * from {one}\nunion\nselect * from {one} where {name} is not null\n"
        case 5: return f"with a as (select * from {one}), b as (select a.* from a where {name} is not null)\nselect distinct {left} from b\n"
        case 6:
            return (f"select {name}, (select count(*) from {two} where {other} is not null and cast({right} as varchar) = "
                    f"cast({left} as varchar)) as n from {one}\n")
        case 7: return f"select {name}, rank() over (partition by {left} order by {name}) as place from {one}\n"
        case 8:
            return (f"select {name} from {one} where cast({left} as varchar) in (select cast({other} as varchar) from {two} "
                    f"where {right} is not null)\n")
        case 9: return f"select lower(cast({name} as varchar)) as grouped, count(*) as rows from {one} group by grouped\n"
        case 10: return f"select * replace (cast({name} as varchar) as {name}) from {one}\n"
        case 11:
            return (f"with a as (select {key}, {left} from {one}), b as (select {key}, {right} from {two} group by all)\n"
                    f"select {key}, {left}, {right} from a left join b using ({key})\n")
        case 12: return f"select {left} as most, {right} as united from {one} join (select * from {two} where {other} is not null) using ({key})\n"
        case 13:
            return (f"select {name}, count(*) as n from {three}\nwhere event_name = '{random.choice(['show', 'tap', 'buy', 'login'])}' "
                    f"group by all\n").replace(name, quoted(random.choice(thirds)))
        case 14:
            return (f"select * from {three} where event_name = '{random.choice(['show', 'tap', 'view', 'update'])}' "
                    f"and {quoted(random.choice(thirds))} is not null\n")
        case 15: return f"select a.*, b.{right} from {one} a semi join {two} s using ({key}) join {two} b on a.{key} = b.{key}\n"
        case 16: return f"from {one} select {name}, {left} as rows qualify row_number() over (partition by {left} order by {name}) = 1\n"
        case _: return plain_model(random, [item for item in relations])[0]
