-- SPDX-License-Identifier: MIT
-- What `carrychain verify --csv` found, as fields of packets in Wireshark and tshark:
--
--   carrychain verify --csv --list bad --list deferred a.pcap > a.csv
--   tshark -X lua_script:wireshark.lua -o carrychain.report:a.csv -r a.pcap -Y carrychain.verdict==bad
--
-- In Wireshark: Preferences, Protocols, Carrychain.  Open the capture that the report is of.

local carrychain = Proto("carrychain", "Carrychain")
local names = {"protocol", "verdict", "reason", "expected", "found"}
local field = {}
for _, name in ipairs(names) do
	field[name] = ProtoField.string("carrychain." .. name, name)
	table.insert(carrychain.fields, field[name])
end
local corrupt = ProtoExpert.new("carrychain.corrupt", "Corrupt", expert.group.CHECKSUM, expert.severity.ERROR)
local offload = ProtoExpert.new("carrychain.unsure", "Not corrupt", expert.group.CHECKSUM, expert.severity.NOTE)
carrychain.experts = {corrupt, offload}
carrychain.prefs.report = Pref.string("Report", "", "The file that carrychain verify --csv wrote")

-- The cells of a line of CSV; quotes are doubled in quotes.
local function cells(line)
	local row, at = {}, 1
	while at <= #line + 1 do
		local cell, after
		if line:sub(at, at) == '"' then
			local from = at + 1
			repeat
				after = line:find('"', from, true) or #line
				from = after + 2
			until line:sub(after + 1, after + 1) ~= '"'
			cell = line:sub(at + 1, after - 1):gsub('""', '"')
			after = after + 1
		else
			after = line:find(",", at, true) or #line + 1
			cell = line:sub(at, after - 1)
		end
		table.insert(row, cell)
		at = after + 1
	end
	return row
end

local found, name_read = {}, nil

-- The rows of each frame.  A report of several captures is refused: their frames have the same numbers.
local function read(name)
	found, name_read = {}, name
	if name == "" then
		return
	end
	local file, why = io.open(name)
	if not file then
		report_failure("carrychain: " .. why)
		return
	end
	local column, capture = {}, nil
	for line in file:lines() do
		local row = cells(line:gsub("\r$", ""))
		local number = tonumber(row[column.frame or 0])
		if not column.frame then
			for i, head in ipairs(row) do
				column[head] = i
			end
		elseif number then
			if capture and capture ~= row[column.file] then
				report_failure("carrychain: " .. name .. " is of several captures: make a report of one")
				found = {}
				break
			end
			capture = row[column.file]
			local some = found[number] or {}
			found[number] = some
			local each = {}
			for _, head in ipairs(names) do
				each[head] = row[column[head]]
			end
			table.insert(some, each)
		end
	end
	file:close()
end

function carrychain.dissector(_, pinfo, tree)
	if name_read ~= carrychain.prefs.report then
		read(carrychain.prefs.report)
	end
	for _, row in ipairs(found[pinfo.number] or {}) do
		local branch = tree:add(carrychain, row.protocol .. " checksum " .. row.verdict)
		for _, name in ipairs(names) do
			if row[name] ~= "" then
				branch:add(field[name], row[name]):set_generated()
			end
		end
		local is_corrupt = row.verdict:match("^bad") or row.verdict:match("^unfinished")
		branch:add_proto_expert_info(is_corrupt and corrupt or offload, row.protocol .. " checksum " .. row.verdict)
	end
end

register_postdissector(carrychain)
